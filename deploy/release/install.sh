#!/bin/sh
# Installs Pulse @VERSION@ on a Debian machine or in a container of Proxmox VE. Run again, it repairs or updates; with --uninstall
# it removes Pulse. Without options it installs the release that contains it.
set -eu
umask 022
LC_ALL=C
export LC_ALL

readonly VERSION='@VERSION@'
readonly KEYS='@KEYS@'

readonly HOME_FOLDER=/opt/pulse
readonly DATA=/var/lib/pulse
readonly SETTINGS=/etc/default/pulse
readonly UNITS=/etc/systemd/system
readonly COMMAND=/usr/local/bin/pulse

say() { printf '%s\n' "$*"; }
warn() { printf 'Pulse: %s\n' "$*" >&2; }

# $1: what failed, $2: what to do about it
fail() {
  printf 'Pulse: %s\n' "$1" >&2
  if [ "$#" -gt 1 ]; then printf '       %s\n' "$2" >&2; fi
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

usage() {
  say 'Usage: install.sh                      the release in the folder of this script'
  say '       install.sh --archive FILE       an archive, with its SHA256SUMS in the same folder'
  say '       install.sh --from URL           downloads the archive of this version from there'
  say '       install.sh --uninstall [--purge]   --purge removes the data and the settings too'
  say 'Options: --port PORT · --unsigned (accepts an unsigned release)'
}

action=install
purge=no
from=''
archive=''
port=''
deployment=''
unsigned=no
work=''

read_arguments() {
  while [ "$#" -gt 0 ]; do
    case "$1" in
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      --unsigned) unsigned=yes ;;
      --help)
        usage
        exit 0
        ;;
      --archive | --from | --port | --deployment)
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
  if [ "$action" = install ]; then
    [ "$purge" = no ] || fail '--purge requires --uninstall.'
  fi
}

take() {
  case "$1" in
    --archive) archive=$2 ;;
    --from) from=${2%/} ;;
    --port)
      case "$2" in '' | *[!0-9]* | ??????*) fail 'The port is not a number from 1 to 65535.' ;; esac
      port=$2
      ;;
    --deployment)
      [ "$2" = proxmoxve ] || fail 'The only value of --deployment is proxmoxve.'
      deployment=$2
      ;;
  esac
}

choose_platform() {
  case "$(uname -m)" in
    x86_64 | amd64) platform=linux-amd64 ;;
    aarch64 | arm64) platform=linux-arm64 ;;
    *) fail "Pulse does not support $(uname -m)." 'It supports x86_64 and aarch64.' ;;
  esac
  name="pulse-v$VERSION-$platform"
}

fetch() {
  if has curl; then
    curl -fsSL --proto '=http,https' -o "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail 'curl or wget is required, but neither is installed.' 'Install one of them and run this script again.'
  fi
}

check_target() {
  [ ! -e "$HOME_FOLDER/bin/pulse" ] || fail "The older Pulse 4.x is installed in $HOME_FOLDER." 'Export its configuration (Settings, export), remove it, and run this script again. This script does not touch its data in /etc/pulse.'
  [ ! -f "$HOME_FOLDER/switch.json" ] || fail 'An update is in progress.' 'Wait for it: journalctl -u pulse-update -f'
}

# Sets $release to the unpacked and verified release.
find_release() {
  if [ -n "$from" ]; then
    case "$from" in http://?* | https://?*) ;; *) fail 'The URL must begin with http:// or https://.' ;; esac
    say "Downloading $name from $from."
    for file in SHA256SUMS "$name.tar.gz"; do
      fetch "$from/$file" "$work/$file" || fail "Cannot download $from/$file." 'Check the URL, the network and the certificate.'
    done
    if [ -n "$KEYS" ]; then fetch "$from/SHA256SUMS.sig" "$work/SHA256SUMS.sig" || true; fi
    archive="$work/$name.tar.gz"
  fi
  if [ -n "$archive" ]; then
    keep_archive
    check_archive
    unpack
    return
  fi
  # A script read from a pipe has no folder, so the current folder is not its release.
  case "$0" in install.sh | */install.sh) ;; *) fail 'This script is not in the folder of a release.' 'Pass an archive (--archive FILE) or a download URL (--from URL).' ;; esac
  release=$(dirname "$(readlink -f "$0")")
  [ -f "$release/release.json" ] || fail 'This script is not in the folder of a release.' 'Pass an archive (--archive FILE) or a download URL (--from URL).'
  # A folder has no signature: it is accepted only if no other user than root can write to it.
  others=$(find "$release" \( ! -user 0 -o ! -type l -perm /022 \) -print -quit)
  if [ -n "$others" ] || ! is_of_root "$release"; then
    fail "Other users than root can write to $release. Nothing was installed." 'Install the archive instead, which is verified: --archive FILE'
  fi
}

# Whether only root can change or replace this folder.
is_of_root() {
  folder=$(readlink -f "$1") || return 1
  [ -n "$(find "$folder" -maxdepth 0 -type d -user 0 ! -perm /022)" ] || return 1
  while [ "$folder" != / ]; do
    folder=$(dirname "$folder")
    [ -n "$(find "$folder" -maxdepth 0 -user 0 \( ! -perm /022 -o -perm -1000 \))" ] || return 1
  done
}

# Verifies and unpacks a copy that no other user can change.
keep_archive() {
  [ -f "$archive" ] || fail "There is no archive $archive."
  folder=$(dirname "$archive")
  [ -f "$folder/SHA256SUMS" ] || fail "There is no SHA256SUMS in the folder of $archive." 'It is part of the release and is needed to verify the archive.'
  if [ "$folder" != "$work" ]; then
    cp "$archive" "$work/$name.tar.gz" || fail "$archive cannot be copied to $work." 'Check the free space.'
    cp "$folder/SHA256SUMS" "$work/SHA256SUMS"
    if [ -f "$folder/SHA256SUMS.sig" ]; then cp "$folder/SHA256SUMS.sig" "$work/SHA256SUMS.sig"; fi
  fi
  archive="$work/$name.tar.gz"
}

# The signature covers the list of checksums, the list covers the archive. Both are required.
check_archive() {
  if [ -n "$KEYS" ]; then
    is_signed "$work" || fail 'The signature of the release is missing or invalid. Nothing was changed.' 'Download the archive, SHA256SUMS and SHA256SUMS.sig again from the publisher of Pulse.'
  elif [ "$unsigned" = no ]; then
    fail 'This release is not signed: the script contains no key.' 'If you built it yourself, run this again with --unsigned.'
  fi
  wanted=$(sed -n "s/^\([0-9a-f]\{64\}\)  $name\.tar\.gz\$/\1/p" "$work/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS does not list $name.tar.gz." 'The archive and the script must belong to the same release.'
  [ "$(sha256sum <"$archive" | cut -d ' ' -f 1)" = "$wanted" ] || fail 'The checksum of the archive does not match the published one. Nothing was changed.' 'Download it again.'
}

is_signed() {
  has openssl || fail 'openssl is required to verify the signature, but is not installed.' 'Install it: apt-get install openssl'
  [ -f "$1/SHA256SUMS.sig" ] || return 1
  printf '%s\n' "$KEYS" >"$work/keys.pem"
  openssl pkeyutl -verify -pubin -inkey "$work/keys.pem" -rawin -in "$1/SHA256SUMS" -sigfile "$1/SHA256SUMS.sig" >/dev/null 2>&1
}

unpack() {
  mkdir "$work/release"
  tar -xzf "$archive" -C "$work/release" --no-same-owner
  release="$work/release/$name"
  [ -f "$release/release.json" ] || fail "The archive does not contain $name."
}

check_program() {
  "$release/bin/node" --version >/dev/null 2>&1 ||
    fail 'Pulse cannot run on this machine. Nothing was changed.' 'It needs glibc 2.28 or later, libstdc++ and libatomic: apt-get install libstdc++6 libatomic1'
}

add_user() {
  if getent passwd pulse >/dev/null; then return; fi
  useradd --system --user-group --home-dir /var/lib/pulse --no-create-home --shell /usr/sbin/nologin pulse
}

# Installs into the inactive slot, then switches the link.
put_in_slot() {
  mkdir -p "$HOME_FOLDER/slots"
  # Checks each folder: a link does not show the rights of the folder that contains it.
  { is_of_root "$HOME_FOLDER" && is_of_root "$HOME_FOLDER/slots"; } || fail "Other users than root can write to $HOME_FOLDER or $HOME_FOLDER/slots. Nothing was changed." "Check what is in there, then run: chown root:root $HOME_FOLDER $HOME_FOLDER/slots; chmod 0755 $HOME_FOLDER $HOME_FOLDER/slots"
  running=$(readlink "$HOME_FOLDER/current" || true)
  slot=slots/a
  if [ "$running" = slots/a ]; then slot=slots/b; fi
  if [ -n "$running" ] && cmp -s "$release/release.json" "$HOME_FOLDER/$running/release.json"; then
    say "Pulse $VERSION is already installed; its files are reinstalled."
  fi
  rm -rf "${HOME_FOLDER:?}/$slot" "$HOME_FOLDER/$slot.new"
  cp -a "$release" "$HOME_FOLDER/$slot.new"
  chown -R root:root "$HOME_FOLDER/$slot.new"
  # Sets the rights: the service can read and run it, only root can write.
  chmod -R u=rwX,go=rX "$HOME_FOLDER/$slot.new"
  mv "$HOME_FOLDER/$slot.new" "$HOME_FOLDER/$slot"
}

turn() {
  ln -sfn "$1" "$HOME_FOLDER/current.new"
  mv -fT "$HOME_FOLDER/current.new" "$HOME_FOLDER/current"
}

write_settings() {
  mkdir -p "$(dirname "$SETTINGS")"
  if [ ! -f "$SETTINGS" ]; then
    {
      say '# Variables of the service: docs/configuration.md lists them. After a change: systemctl restart pulse'
      say '#PULSE_PUBLIC_URL=https://pulse.example.com'
    } >"$SETTINGS"
  fi
  if [ -n "$port" ]; then set_variable FRONTEND_PORT "$port"; fi
  if [ -n "$deployment" ]; then set_variable PULSE_DEPLOYMENT "$deployment"; fi
  chown root:pulse "$SETTINGS"
  chmod 0640 "$SETTINGS"
}

set_variable() {
  { grep -v "^$1=" "$SETTINGS" || true; say "$1=$2"; } >"$work/pulse.env"
  cat "$work/pulse.env" >"$SETTINGS"
}

# The command for users: runs as the user of the service, with its variables.
write_command() {
  mkdir -p "$(dirname "$COMMAND")"
  cat >"$COMMAND" <<'PULSE'
#!/bin/sh
# Runs Pulse as its service does. Written by the installation.
set -eu
if [ "$(id -u)" != 0 ]; then
  echo 'Run this as root: it switches to the user pulse.' >&2
  exit 1
fi
# Parsed as by systemd: values may be quoted, and are never executed.
while IFS= read -r line; do
  value=${line#*=}
  case "$value" in \"*\") value=${value#?} value=${value%?} ;; esac
  case "$line" in [A-Za-z_]*=*) export "${line%%=*}=$value" ;; esac
done </etc/default/pulse
export PULSE_DATA_DIR=/var/lib/pulse
exec setpriv --reuid pulse --regid pulse --clear-groups -- /opt/pulse/current/bin/pulse "$@"
PULSE
  chmod 0755 "$COMMAND"
}

has_systemd() { has systemctl && [ -d "/run/systemd/system" ]; }

start_service() {
  mkdir -p "$UNITS"
  for unit in pulse.service pulse-update.path pulse-update.service; do
    cp "$release/systemd/$unit" "$UNITS/$unit"
  done
  systemctl daemon-reload || fail 'systemd could not load the new services (systemctl daemon-reload).'
  systemctl enable pulse.service pulse-update.path pulse-update.service || fail 'The services could not be enabled.' 'See why: systemctl status pulse'
  systemctl restart pulse.service pulse-update.path || fail 'The service could not be started.' 'See why: journalctl -u pulse -e'
}

# Restores the previous release if the new one does not answer.
check_health() {
  if "$COMMAND" health --wait 60 --expect "$VERSION" >/dev/null; then return; fi
  if [ -n "$running" ] && [ -d "$HOME_FOLDER/$running" ]; then
    turn "$running"
    systemctl restart pulse.service || true
    "$COMMAND" health --wait 60 >/dev/null 2>&1 ||
      fail "Pulse $VERSION does not answer, and neither does the restored previous version." 'The newer version may have changed the data. See the log: journalctl -u pulse -e'
    fail "Pulse $VERSION does not answer; the previous version is running again." 'See why: journalctl -u pulse -e'
  fi
  fail "Pulse $VERSION was installed but does not answer." 'See why: journalctl -u pulse -e'
}

set_up() {
  choose_platform
  check_target
  find_release
  check_program
  add_user
  put_in_slot
  write_settings
  mkdir -p "$DATA"
  chown pulse:pulse "$DATA"
  chmod 0700 "$DATA"
  write_command
  turn "$slot"
  if ! has_systemd; then
    say "Pulse $VERSION is installed. This machine has no systemd, so nothing was started. Configure the service manager to run, as the user pulse:"
    say '  PULSE_DATA_DIR=/var/lib/pulse /opt/pulse/current/bin/pulse'
    return
  fi
  start_service
  check_health
  port=$(sed -n 's/^FRONTEND_PORT=//p' "$SETTINGS")
  say "Pulse $VERSION is running: http://$(hostname):${port:-7655}"
  if [ -f "$DATA/.bootstrap_token" ]; then say 'The one-time token for the first visit: pulse bootstrap-token'; fi
}

take_down() {
  [ ! -e "$HOME_FOLDER/bin/pulse" ] || fail "The older Pulse 4.x is installed in $HOME_FOLDER. Nothing was changed." 'Remove it with its own script.'
  if has_systemd; then
    for unit in pulse-update.path pulse-update.service pulse.service; do
      [ -f "$UNITS/$unit" ] || continue
      systemctl stop "$unit" || warn "$unit could not be stopped."
      systemctl disable "$unit" || warn "$unit could not be disabled."
    done
  fi
  rm -f "$UNITS/pulse.service" "$UNITS/pulse-update.path" "$UNITS/pulse-update.service" "$COMMAND"
  if has_systemd; then systemctl daemon-reload || warn 'systemd still lists the services (systemctl daemon-reload).'; fi
  # Keeps files of other programs.
  for name in slots current current.new incoming switch.json switch.json.new switch.sock; do rm -rf "${HOME_FOLDER:?}/$name"; done
  rmdir "$HOME_FOLDER" 2>/dev/null || true
  rm -rf "/var/cache/pulse"
  if [ "$purge" = yes ]; then
    rm -rf "$DATA" "$SETTINGS" "$UNITS/pulse.service.d"
    # The sound server PulseAudio also creates a user with this name.
    case "$(getent passwd pulse || true)" in
      *:/var/lib/pulse:*) userdel pulse || warn 'The user pulse could not be removed.' ;;
    esac
    say 'Pulse was removed, with its data and settings.'
  else
    say "Pulse was removed. Its data were kept in $DATA, its settings in $SETTINGS (--purge removes them too)."
  fi
}

clean_up() {
  if [ -n "$work" ]; then rm -rf "$work"; fi
}

# Nothing runs before the last line, so that a partial download changes nothing.
main() {
  read_arguments "$@"
  [ "$(id -u)" = 0 ] || fail 'This script must run as root.' 'Put sudo before it.'
  work=$(mktemp -d)
  trap clean_up EXIT
  if [ "$action" = uninstall ]; then take_down; else set_up; fi
}

main "$@" </dev/null
