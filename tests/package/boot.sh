#!/bin/sh
# Starts the systemd of a bare Debian as the first process of namespaces of its own: boot.sh ROOT start
# Of the host it has processor time and a branch of the control groups; it ends with the process that this becomes.
# Then boot.sh ROOT clean removes the branch. Both in a mount namespace: unshare --mount.
set -eu
root=$1
branch=/mnt/cardshoe-package-test
if [ "$2" != inside ]; then
    mount --make-rprivate /
    mount -t cgroup2 none /mnt
fi
case $2 in
    start)
        mkdir -p $branch
        echo $$ >$branch/cgroup.procs
        exec unshare --fork --kill-child --pid --uts --ipc --cgroup --mount sh "$0" "$root" inside
        ;;
    clean)
        # Its processes were killed, and go one after the other.
        timeout 60 sh -c "until grep -q 'populated 0' $branch/cgroup.events; do sleep 0.1; done"
        find $branch -depth -type d -exec rmdir {} +
        exit
        ;;
esac
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs tmpfs "$root/dev"
while read -r name major minor; do
    mknod -m 666 "$root/dev/$name" c "$major" "$minor"
done <<LIST
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
LIST
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
cd "$root"
mkdir -p old
pivot_root . old
umount -l /old
echo begins
exec env -i container=oci PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=null --show-status=no
