# Common to the launchers: finds JDK 25 and a module's jars, and becomes that Java process. Sourced, POSIX sh.
#
# Three layouts: a source tree after `mvn package` (MODULE/target) and an installation (/usr/lib/faasimage/MODULE), each
# with the module's jar and a directory lib beside it; and a container file of jib's (classpath and libs in MODULE). An
# installation may bring its own Java in runtime, which then comes before all others.
#
# A file MODULE.aot beside the jar, or in the installation's caches, is the JVM's ahead-of-time cache; a run with
# FAASIMAGE_TRAIN=1 writes it when it ends. Setting launch_cache after sourcing names another one. A process that starts
# others finds their caches there, too.

# C2 begins late: the start of a function waits for little Java code and much native code, and compiling at full effort
# meanwhile would take a third of the processor time of a pull.
late="-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000 -XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000"
# The cipher of TLS begins early: only C2 makes AES-GCM use the processor's instructions, and without these 10 MB take a
# quarter of a second.
cipher="-XX:CompileCommand=quiet -XX:CompileCommand=CompileThresholdScaling,com.sun.crypto.provider.*::*,0.02"

# Nothing of the environment.
launch_cache=

launch_fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# java_is_new HOME: whether HOME is a Java of version 25 or later; reads its release file, which is quicker than asking it.
java_is_new() {
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS='=' read -r name value; do
    if [ "$name" = JAVA_VERSION ]; then
      value=${value#\"}
      value=${value%%[!0-9]*}
      [ "${value:-0}" -ge 25 ]
      return
    fi
  done <"$1/release"
  return 1
}

find_java() {
  for candidate in "$home/runtime" "${JAVA_HOME:-}" /usr/lib/jvm/*; do
    if [ -n "$candidate" ] && java_is_new "$candidate"; then
      java=$candidate/bin/java
      return
    fi
  done
  launch_fail "no Java 25 or later in JAVA_HOME or /usr/lib/jvm; install one (apt-get install openjdk-25-jre-headless) or set JAVA_HOME"
}

# find_module MODULE: sets home, module_dir, and caches, where the ahead-of-time cache is.
find_module() {
  bin=$(readlink -f "$0")
  bin=${bin%/*}
  if [ -f "$bin/../../pom.xml" ]; then
    home=${bin%/*/*}
    module_dir=$home/$1/target
  else
    home=${FAASIMAGE_HOME:-${bin%/*}}
    module_dir=$home/$1
  fi
  caches=$module_dir
  [ ! -d "$home/caches" ] || caches=$home/caches
  [ -d "$module_dir" ] || launch_fail "$module_dir is missing; build first (mvn -DskipTests package), or set FAASIMAGE_HOME to the installation"
}

# launch MODULE MAIN "FLAGS" ARG...
launch() {
  launch_module=$1
  launch_main=$2
  launch_flags=$3
  shift 3
  find_module "$launch_module"
  find_java
  jar=
  for candidate in "$module_dir/$launch_module".jar "$module_dir/$launch_module"-[0-9]*.jar "$module_dir/classpath"/*.jar; do
    case $candidate in
      *-sources.jar | *-tests.jar | *-javadoc.jar) ;;
      *) [ -f "$candidate" ] && jar=$candidate && break ;;
    esac
  done
  [ -n "$jar" ] || launch_fail "there is no $launch_module jar in $module_dir; build first: mvn -DskipTests package"
  class_path=$jar
  # A cache that is older than a jar is of another build.
  aot=$caches/${launch_cache:-$launch_module}.aot
  usable=
  [ "$aot" -nt "$jar" ] && usable=yes
  for library in "$module_dir"/lib/*.jar "$module_dir"/libs/*.jar; do
    [ -f "$library" ] || continue
    class_path=$class_path:$library
    [ "$aot" -nt "$library" ] || usable=
  done
  case ${FAASIMAGE_LOG_FORMAT:-text} in
    text) ;;
    json) launch_flags="$launch_flags -Dfaasimage.log.format=json -Dlogging.structured.format.console=logstash" ;;
    *) launch_fail "FAASIMAGE_LOG_FORMAT must be text or json, not '$FAASIMAGE_LOG_FORMAT'" ;;
  esac
  launch_flags="$launch_flags -Dlaunch.caches=$caches"
  if [ -n "${FAASIMAGE_TRAIN:-}" ]; then
    launch_flags="$launch_flags -XX:AOTCacheOutput=$aot"
  elif [ -n "$usable" ]; then
    launch_flags="$launch_flags -XX:AOTCache=$aot"
  fi
  # Out of memory, a process ends as a whole: its supervisor (systemd, the agent for its gate) restarts it. A
  # thread that died alone would leave the rest half alive.
  # The flags are words, so they are split here on purpose, but not taken for patterns of file names.
  set -f
  # shellcheck disable=SC2086
  exec "$java" -Djava.util.logging.SimpleFormatter.format='%1$tFT%1$tT.%1$tL %4$-7s %5$s%6$s%n' -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError -Xlog:disable -Xlog:all=error:stderr --enable-native-access=ALL-UNNAMED $launch_flags \
    ${FAASIMAGE_JAVA_OPTS:-} -cp "$class_path" "$launch_main" "$@"
}
