#!/bin/sh
# Puts into the folder $1 what Node and its machine code need of Debian, and the user whom the service runs as.
set -e
root=$1
packages="base-files base-passwd ca-certificates libc6 libgcc-s1 libstdc++6 tini tzdata"
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/usr/local/bin"
for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$root/$folder"; done

# Words of other character sets (9 MB) and manuals are for programs that are not here.
for package in $packages; do dpkg -L "$package"; done | sort -u | grep -vE '/(gconv|doc|man|info|lintian)(/|$)' \
  | while read -r path; do if [ -e "$path" ] || [ -L "$path" ]; then echo "${path#/}"; fi; done >/tmp/paths
tar -C / --no-recursion --files-from=/tmp/paths -c | tar -C "$root" --keep-directory-symlink -x
for package in $packages; do
  mkdir -p "$root/usr/share/doc/$package" "$root/var/lib/dpkg/status.d"
  cp "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/" 2>/dev/null || true
  dpkg-query -s "$package" >"$root/var/lib/dpkg/status.d/$package"
done

cp -a /etc/ssl /etc/passwd /etc/group /etc/nsswitch.conf "$root/etc/"
cp -a /home /data "$root/"
cp /usr/local/bin/node "$root/usr/local/bin/"
mkdir -p "$root/tmp" && chmod 1777 "$root/tmp"
ldconfig -r "$root"
