# The contents of the layers. Each function runs in the mount namespace of its layer, with the root file system at
# $root; its parameters are exported variables. Sourced.

# debian: a minimal Debian. The mirror is that of the machine's own apt if it has this release, else Debian's.
debian() {
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$2 == suite && /debian/ && !found++ {print $1}')
  mmdebstrap --quiet --variant=minbase --format=tar --include="$debian_packages" \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --customize-hook='rm -f "$1"/etc/resolv.conf "$1"/etc/hostname "$1"/var/log/*.log "$1"/var/log/apt/*' \
    "$suite" "$work/debian.tar" ${mirror:+"$mirror"} ||
    fail "mmdebstrap could not make a $suite root file system (see above); is a Debian mirror reachable?"
  tar --extract --file "$work/debian.tar" --directory "$root" --numeric-owner --exclude='./dev/*'
  rm "$work/debian.tar"
}

# packages: the Debian packages named in $packages.
packages() {
  mount --bind /proc "$root/proc"
  mount --bind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/var/lib/apt/lists"
  mount -t tmpfs tmpfs "$root/var/cache/apt"
  mount -t tmpfs tmpfs "$root/tmp"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Java's packages make links in it.
  mkdir -p "$root/usr/share/man/man1"
  local words
  IFS=, read -ra words <<<"$packages"
  local apt=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive
    apt-get -q -o Acquire::Retries=3 -o APT::Sandbox::User=root)
  "${apt[@]}" update >"$work/apt.log"
  "${apt[@]}" -y -o Dpkg::Use-Pty=0 install --no-install-recommends "${words[@]}" </dev/null >"$work/apt.log" || {
    tail -n 20 "$work/apt.log"
    fail "apt could not install $packages."
  }
  umount "$root/tmp" "$root/var/cache/apt" "$root/var/lib/apt/lists" "$root/dev" "$root/proc"
  rm -rf "$root"/etc/resolv.conf "$root"/var/log/*.log "$root"/var/log/apt/* "$root"/var/cache/ldconfig/* "$root"/var/lib/dpkg/*-old
}

# python_libraries: the packages of the function's requirements.txt, with byte code as pip would have compiled it.
python_libraries() {
  local version into
  version=$(chroot "$root" /usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  into=usr/local/lib/python$version/dist-packages
  mkdir -p "$work/wheels" "$work/libraries/$into"
  if [[ $sdists ]]; then
    python3 -m pip wheel --quiet --no-deps --wheel-dir "$work/wheels" $sdists ||
      fail "pip could not build $sdists (see above)."
  fi
  python3 -m pip install --quiet --root-user-action=ignore --target "$work/libraries/$into" --no-compile --no-deps \
    --only-binary=:all: --implementation cp --python-version "$version" --find-links "$work/wheels" \
    --platform "manylinux2014_$(uname -m)" --platform "manylinux_2_27_$(uname -m)" --platform "manylinux_2_28_$(uname -m)" \
    --requirement "$function_dir/requirements.txt" $sdists ||
    fail "pip could not install the libraries (see above); is the Python package index reachable?"
  # pip writes the builder's interpreter into the commands.
  if [[ -d $work/libraries/$into/bin ]]; then
    mv "$work/libraries/$into/bin" "$work/libraries/usr/local/bin"
    sed -i '1s|^#!.*python.*|#!/usr/bin/python3|' "$work"/libraries/usr/local/bin/*
  fi
  find "$work/libraries" -exec touch --no-dereference --date=@1761955200 {} +
  cp -a "$work/libraries/usr" "$root"
  rm -rf "$work/libraries" "$work/wheels"
  chroot "$root" /usr/bin/env -i PATH=/usr/bin PYTHONHASHSEED=0 /usr/bin/python3 -m compileall -q \
    --invalidation-mode timestamp "/$into" >"$work/compile.log" || note "some library files are for another Python and do not compile"
}

# node_libraries: the packages of the function's package-lock.json.
node_libraries() {
  mkdir -p "$root/home/app"
  cp "$function_dir"/package.json "$function_dir"/package-lock.json "$root/home/app"
  (cd "$root/home/app" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error) ||
    fail "npm could not install the libraries (see above); is the npm registry reachable?"
  rm "$root"/home/app/package*.json
}

# code: the function's own files, and the output of its prepare.py. Java is compiled against the image's libraries.
code() {
  local sources=("$function_dir"/*.java)
  mkdir -p "$root/home/app"
  cp -r "$function_dir"/. "$root/home/app"
  rm -rf "$root"/home/app/{recipe,requirements.txt,prepare.py,__pycache__}
  if [[ -e ${sources[0]} ]]; then
    rm "$root"/home/app/*.java
    "${JAVA_HOME:+$JAVA_HOME/bin/}javac" --release 17 -Xlint:-options -cp "$root/usr/share/java/*" -d "$root/home/app" "${sources[@]}" ||
      fail "javac could not compile the function (see above); set JAVA_HOME to a JDK from 17 on."
  fi
  if [[ $prepare ]]; then
    cp "$function_dir/prepare.py" "$root/home/app"
    mount --bind /proc "$root/proc"
    chroot "$root" /usr/bin/env -i PATH=/usr/bin PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 /home/app/prepare.py "/home/app/$prepare"
    umount "$root/proc"
    rm "$root/home/app/prepare.py"
  fi
  chmod -R u=rwX,go=rX "$root/home/app"
  chown -R 0:0 "$root/home/app"
}
