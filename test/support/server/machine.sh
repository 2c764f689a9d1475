#!/bin/sh
# A machine of its own for a test: own mounts, network and processes; nothing is left of it. Run as root:
#   machine.sh CHECKOUT PROGRAM NODE FOLDER SCRIPT
# FOLDER holds cert.pem and key.pem. The machine has this checkout as /opt/tallyhook, with its PROGRAM and Node in
# /usr/local/bin.
set -eu
if [ "${INSIDE:-}" = "" ]; then
  INSIDE=yes exec unshare --mount --net --pid --fork --kill-child --mount-proc "$0" "$@"
fi
checkout=$1 program=$2 node=$3 folder=$4 script=$5
cp -a /etc "$folder/etc"
mount --bind "$folder/etc" /etc
for place in /opt /usr/local/bin /var/log; do mount -t tmpfs none $place; done
mkdir /opt/tallyhook /opt/folder
mount --bind "$checkout" /opt/tallyhook
mount --bind "$folder" /opt/folder
cp "$node" /usr/local/bin/node
ln -s "/opt/tallyhook/$program" /usr/local/bin/tallyhook
printf '#!/bin/sh\nexec node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON /opt/tallyhook/test/support/server/systemctl.ts "$@"\n' > /usr/local/bin/systemctl
# The package is in no registry during a test; package.test.ts installs it from its tarball.
printf '#!/bin/sh\n[ "$*" = "install --global --ignore-scripts ./tallyhook-*.tgz" ]\n' > /usr/local/bin/npm
# The certificate is in its place only once it was asked for.
cat > /usr/local/bin/certbot <<'END'
#!/bin/sh
set -eu
[ "$*" = "certonly --nginx -d hooks.example.com" ]
mkdir -p /etc/letsencrypt/live/hooks.example.com
cp /opt/folder/cert.pem /etc/letsencrypt/live/hooks.example.com/fullchain.pem
cp /opt/folder/key.pem /etc/letsencrypt/live/hooks.example.com/privkey.pem
END
chmod 755 /usr/local/bin/*
mount -t tmpfs none /var/lib
mkdir -p /var/lib/nginx /var/log/nginx
mount -t tmpfs none /run
rm -rf /etc/letsencrypt # of the machine that runs the test
mount -t tmpfs none /home
useradd --create-home alice
# A name server.
echo '127.0.0.1 hooks.example.com' >> /etc/hosts
rm -f /etc/nginx/sites-enabled/default # its port 80, also of IPv6, which a container may lack
ip link set lo up
export PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
nginx
exec sh -euc "$script"
