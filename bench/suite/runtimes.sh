# The runtimes that functions run on: Debian packages above the common Debian layer. Sourced.

# Needed by every image.
debian_packages=ca-certificates,openssl,tzdata,netbase,media-types

declare -A runtime_packages=(
  [python]=python3,python3-pip,python3-setuptools,python3-wheel
  [node]=nodejs,npm
  [ruby]=ruby,ruby-dev
  [php]=php-cli,php-mbstring,php-xml,php-curl
  [java]=openjdk-17-jre-headless
  [perl]=perl
)
