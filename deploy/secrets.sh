#!/bin/sh
# Creates random passwords for deploy/compose.yaml, one file each. Existing files stay, so it can run again after an
# update. Only you can open the folder; the files in it are readable for everybody, since the users inside the containers
# that get them have other ids.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"

random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Writes standard input to a file atomically.
keep() {
    cat > "$folder/.new"
    chmod 444 "$folder/.new"
    mv "$folder/.new" "$folder/$1"
}

if [ ! -e "$folder/postgres_password" ]; then
    rm -f "$folder/database_url"
    random | keep postgres_password
fi
if [ ! -e "$folder/database_url" ]; then
    echo "postgresql://haggle:$(cat "$folder/postgres_password")@postgres:5432/haggle" | keep database_url
fi
if [ ! -e "$folder/redis_conf" ] || [ ! -e "$folder/redis_url" ]; then
    password=$(random)
    keep redis_conf <<END
requirepass $password
save ""
appendonly no
dir /data
maxmemory 64mb
maxmemory-policy allkeys-lru
END
    echo "redis://:$password@redis:6379/0" | keep redis_url
fi
echo "The secrets are in $folder"
