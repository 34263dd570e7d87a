#!/bin/sh
# Installs optional system packages by apt (as root) or Homebrew, and lists those that are missing otherwise:
# `tools/system.sh product` installs libzbar, `tools/system.sh tests` Chromium, Redis and Caddy. It runs in the
# checkout and fails if something is missing.
set -u
exec 3>&2 >>.haggle/setup.log 2>&1 </dev/null
python=.haggle/venv/bin/python
caddy=.haggle/caddy
code=0

try_apt() {
    [ "$(id -u)" = 0 ] && command -v apt-get || return
    echo "  $1, by apt ..." >&3
    # Package lists are empty in fresh images and may be outdated elsewhere.
    sh -c "$2" || { apt-get update; sh -c "$2"; }
}
install="DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120"

try_brew() {
    command -v brew || return
    echo "  $1, by Homebrew ..." >&3
    brew install "$1"
}

missing() {
    echo "  no $1 (as root: apt install $2; on a Mac: $3)" >&3
    code=1
}

if [ "$1" = product ]; then
    "$python" -c "import pyzbar.pyzbar" || try_apt libzbar "$install libzbar0" || try_brew zbar ||
        missing "libzbar: the scanner reads a few codes less" libzbar0 "brew install zbar"
    exit "$code"
fi

browsers() { "$python" -P -m server.cli.doctor && "$python" -P -m server.cli.doctor shell; }
by_playwright() {
    echo "  Playwright's Chromium ..." >&3
    # As root, Playwright also installs the system libraries that its Chromium needs.
    if [ "$(id -u)" = 0 ] && command -v apt-get; then deps=--with-deps; else deps=; fi
    "$python" -m playwright install $deps chromium
}
browsers || { try_apt Chromium "$install chromium chromium-headless-shell libatomic1" && browsers; } ||
    { by_playwright && browsers; } ||
    missing "Chromium with windows and without: browser tests cannot run, or take longer" \
        "chromium chromium-headless-shell libatomic1" "install Google Chrome"

# Debian's redis-check-rdb is the same program as redis-server, in a package without the service.
command -v redis-server || command -v redis-check-rdb || try_apt Redis "$install redis-tools" || try_brew redis ||
    missing "Redis: the tests on many machines' engines cannot run" redis-tools "brew install redis"

# Installing Debian's package would start a service on port 80, so only unpack it.
unpack="mkdir -p $caddy && cd $caddy && rm -f *.deb && apt-get download caddy && dpkg-deb -x caddy_*.deb ."
command -v caddy || "$caddy/usr/bin/caddy" version || try_apt Caddy "$unpack" || try_brew caddy ||
    missing "Caddy: the tests on the proxy cannot run" caddy "brew install caddy"
exit "$code"
