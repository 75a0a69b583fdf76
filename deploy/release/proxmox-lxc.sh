#!/bin/sh
# Run it as root on a host of Proxmox VE: creates an unprivileged Debian container and installs Pulse @VERSION@ in it. Run again,
# it updates the existing container. Needs install.sh in the same folder.
set -eu
umask 022
LC_ALL=C
export LC_ALL

say() { printf '%s\n' "$*"; }

# $1: what failed, $2: what to do about it
fail() {
  printf 'Pulse: %s\n' "$1" >&2
  if [ "$#" -gt 1 ]; then printf '       %s\n' "$2" >&2; fi
  exit 1
}

usage() {
  say 'Usage: proxmox-lxc.sh --archive FILE   an archive, with its SHA256SUMS (and SHA256SUMS.sig) in the same folder'
  say '       proxmox-lxc.sh --from URL       the container downloads the archive of this version from there'
  say 'Options: --id NUMBER · --hostname pulse · --storage local-lvm · --templates local · --bridge vmbr0'
  say '         --ip dhcp|ADDRESS/BITS · --gateway ADDRESS · --memory 1024 · --disk 8 (GB) · --unsigned'
}

id=''
name=pulse
storage=local-lvm
templates=local
bridge=vmbr0
ip=dhcp
gateway=''
memory=1024
disk=8
from=''
archive=''
unsigned=''

read_arguments() {
  while [ "$#" -gt 0 ]; do
    case "$1" in
      --unsigned) unsigned=--unsigned ;;
      --help)
        usage
        exit 0
        ;;
      --id | --hostname | --storage | --templates | --bridge | --ip | --gateway | --memory | --disk | --from | --archive)
        [ "$#" -gt 1 ] || fail "$1 needs a value."
        take "$1" "$2"
        shift
        ;;
      *)
        usage >&2
        fail 'Unknown option.'
        ;;
    esac
    shift
  done
  if [ -z "$from" ] && [ -z "$archive" ]; then
    usage >&2
    fail 'The release is missing.' 'Pass an archive (--archive FILE) or a download URL (--from URL).'
  fi
}

# The words become arguments of Proxmox VE commands, where commas separate values.
word() {
  case "$2" in
    '' | *[!A-Za-z0-9.:/_-]*) fail "$1 contains an invalid character." ;;
  esac
}

take() {
  case "$1" in
    --archive) archive=$2 ;;
    --from) from=$2 ;;
    *)
      word "$1" "$2"
      case "$1" in
        --id) id=$2 ;;
        --hostname) name=$2 ;;
        --storage) storage=$2 ;;
        --templates) templates=$2 ;;
        --bridge) bridge=$2 ;;
        --ip) ip=$2 ;;
        --gateway) gateway=$2 ;;
        --memory) memory=$2 ;;
        --disk) disk=$2 ;;
      esac
      ;;
  esac
}

inside() { pct exec "$id" -- "$@"; }

# Searches by name unless a number is given, so that a second run finds the container of the first.
find_container() {
  found=$(pct list | awk -v name="$name" 'NR > 1 && $NF == name { print $1; exit }')
  if [ -n "$id" ]; then
    other=$(pct list | awk -v id="$id" 'NR > 1 && $1 == id { print $NF; exit }')
    if [ -n "$other" ] && [ "$other" != "$name" ]; then fail "Container $id is $other, not $name." 'Set another number, or none.'; fi
    if [ -n "$found" ] && [ "$found" != "$id" ]; then fail "The container $name already exists as number $found." 'Omit --id, or choose another name.'; fi
  fi
}

find_template() {
  template=$(pveam list "$templates" | awk '$1 ~ /debian-12-standard/ { print $1 }' | sort -V | tail -n 1)
  if [ -n "$template" ]; then return; fi
  pveam update >/dev/null || fail 'Cannot download the list of templates (pveam update).'
  file=$(pveam available --section system | awk '$2 ~ /^debian-12-standard/ { print $2 }' | sort -V | tail -n 1)
  [ -n "$file" ] || fail 'Proxmox VE offers no Debian 12 template.'
  say "Downloading the template $file."
  pveam download "$templates" "$file" >/dev/null || fail "Cannot download the template $file." "Does the storage $templates allow container templates (vztmpl)?"
  template="$templates:vztmpl/$file"
}

make_container() {
  find_template
  if [ -z "$id" ]; then id=$(pvesh get /cluster/nextid | tr -d '"'); fi
  network="name=eth0,bridge=$bridge,ip=$ip"
  if [ -n "$gateway" ]; then network="$network,gw=$gateway"; fi
  say "Creating the container $id ($name)."
  # nesting: systemd needs it to sandbox its services
  pct create "$id" "$template" --hostname "$name" --unprivileged 1 --features nesting=1 --cores 2 --memory "$memory" --swap 512 \
    --rootfs "$storage:$disk" --net0 "$network" --onboot 1 --tags pulse >/dev/null ||
    fail "Cannot create the container $id." 'See the error of Proxmox VE above.'
}

start_container() {
  case "$(pct status "$id")" in *running*) return ;; esac
  pct start "$id" || fail "Cannot start the container $id."
}

# Installs the required Debian packages once the network is up.
prepare() {
  for package in libatomic1 libstdc++6 openssl ca-certificates curl; do
    if inside dpkg -s "$package" >/dev/null 2>&1; then continue; fi
    left=30
    until inside apt-get update -qq >/dev/null 2>&1; do
      left=$((left - 1))
      [ "$left" -gt 0 ] || fail "The container $id cannot download packages." "Check its network: pct enter $id, then apt-get update."
      sleep 2
    done
    inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends libatomic1 libstdc++6 openssl ca-certificates curl >/dev/null ||
      fail 'Cannot install the packages that Pulse needs in the container.'
    return
  done
}

put_pulse_in() {
  here=$(dirname "$(readlink -f "$0")")
  there=/root/pulse-release
  inside rm -rf "$there"
  inside mkdir -p "$there"
  pct push "$id" "$here/install.sh" "$there/install.sh"
  set -- --deployment proxmoxve
  if [ -n "$unsigned" ]; then set -- "$@" --unsigned; fi
  if [ -n "$archive" ]; then
    for file in "$archive" "$(dirname "$archive")/SHA256SUMS" "$(dirname "$archive")/SHA256SUMS.sig"; do
      if [ -f "$file" ]; then pct push "$id" "$file" "$there/$(basename "$file")"; fi
    done
    set -- "$@" --archive "$there/$(basename "$archive")"
  else
    set -- "$@" --from "$from"
  fi
  inside sh "$there/install.sh" "$@"
  inside rm -rf "$there"
}

main() {
  read_arguments "$@"
  [ "$(id -u)" = 0 ] || fail 'This script must run as root.'
  for command in pct pveam pvesh; do
    command -v "$command" >/dev/null || fail "$command is missing: this is not a Proxmox VE host." 'On any other machine run install.sh.'
  done
  find_container
  if [ -n "$found" ]; then
    id=$found
    say "The container $id ($name) exists; installing this version in it."
  else
    make_container
  fi
  start_container
  prepare
  put_pulse_in
  say "Pulse is installed in the container $id. To remove it: pct stop $id && pct destroy $id"
}

main "$@" </dev/null
