import type { InstallTexts } from '../protocol.ts'

/** Downloads and verifies the agent, and allows the host to enrol again. */
export const fetchPart = ({ identity, hostsPath, page }: InstallTexts) => String.raw`
# wget first, then curl. Nothing secret goes along.
fetch() {
  if has wget; then
    if [ "$insecure" = yes ]; then
      if wget --no-check-certificate -O "$2" "$1" 2>"$work/said"; then return 0; fi
    elif wget -O "$2" "$1" 2>"$work/said"; then
      return 0
    fi
    if is_busy; then return 1; fi
  fi
  if has curl; then
    if [ "$insecure" = yes ]; then
      if curl -fsSL --insecure -o "$2" "$1" 2>"$work/said"; then return 0; fi
    elif curl -fsSL -o "$2" "$1" 2>"$work/said"; then
      return 0
    fi
    if ! is_busy; then cat "$work/said" >&2; fi
  fi
  return 1
}

# wget and curl both name the status they got; progress and speed are figures too. A server hands out only so many agents
# at a time.
is_busy() { grep -Eq ' 429( Too|:|$)' "$work/said"; }

# Hosts that install together do not come back together.
wait_for_turn() {
  seconds=$((20 + $$ % 20))
  say "$server_url is busy with other hosts. Retrying in $seconds s."
  sleep "$seconds"
}

sum_of() {
  if has sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  else
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  fi
}

choose_platform() {
  machine=$(uname -m)
  case "$machine" in
    x86_64 | amd64)
      platform=linux-amd64
      checksum=$SHA256_AMD64
      ;;
    aarch64 | arm64)
      platform=linux-arm64
      checksum=$SHA256_ARM64
      ;;
    *) fail "There is no agent for $machine." 'Agents exist for x86_64 and aarch64.' ;;
  esac
  [ -n "$checksum" ] || fail "This Pulse server was built without the agent for $platform." \
    'Build it there with npm run build -- --all-platforms, or use the container image of the agent.'
}

# Beside its place, so that it can be put there in one step while the old one still runs.
download() {
  new="$binary.new"
  # A link that lies there would be written through.
  rm -f "$new"
  has wget || has curl || fail 'wget or curl is required, but neither is installed.' 'Install one of them and run this script again.'
  has sha256sum || has openssl || fail 'sha256sum or openssl is required, but neither is installed.' \
    'Install one of them to verify the download.'
  say "Fetching the agent for $platform from $server_url (about 120 MB)."
  tries=1
  until fetch "$server_url/download/$NAME?arch=$platform" "$new"; do
    if [ "$tries" -ge 60 ] || ! is_busy; then
      fail "Cannot download the agent from $server_url." \
        'Check address, firewall and certificate. For a self-signed certificate set PULSE_INSECURE_SKIP_VERIFY=true.'
    fi
    tries=$((tries + 1))
    wait_for_turn
  done
  [ "$(sum_of "$new")" = "$checksum" ] ||
    fail 'The checksum of the downloaded agent is wrong. Nothing was changed.' \
      'Download the script again: the server may have been updated.'
  chmod 0755 "$new"
  "$new" --version >/dev/null 2>&1 ||
    fail 'The agent cannot run on this host. Nothing was changed.' \
      'It needs glibc and libatomic (Debian, Ubuntu: apt-get install libatomic1; Fedora, RHEL: dnf install libatomic). On other systems use its container image.'
}

# As the agent will name itself.
identity() {
  known=''
  ${identity}
  if [ -z "$known" ] && [ -r "$ROOT/etc/machine-id" ]; then known=$(cat "$ROOT/etc/machine-id"); fi
  if [ -z "$known" ]; then known=$(hostname); fi
  printf '%s' "$known"
}

# Every byte: whatever a host is called, it stays one part of an address.
encoded() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }

# A host that was removed in Pulse is kept away for a day. Only curl accepts a token on its input.
allow_reenroll() {
  has curl || return 0
  known=$(identity)
  set -- -sS --path-as-is --max-time 30 -o /dev/null -w '%{http_code}' -X POST -K -
  if [ "$insecure" = yes ]; then set -- "$@" --insecure; fi
  status=$(printf 'header = "X-API-Token: %s"\n' "$(printf '%s' "$server_token" | sed 's/[\\"]/\\&/g')" |
    curl "$@" "$server_url${hostsPath}/$(encoded "$known")/allow-reenroll" 2>/dev/null) || true
  case "$status" in
    2??) ;;
    *) warn 'If this host was removed in Pulse within the last day, use a token created since, or allow it to report again (Settings, ${page}).' ;;
  esac
}

# Against a server under development every start would bring another version.
choose_options() {
  options=''
  if fetch "$server_url/api/server/info" "$work/info" 2>/dev/null &&
    grep -q '"isDevelopment"[[:space:]]*:[[:space:]]*true' "$work/info"; then
    options=' --no-auto-update'
  fi
}
`
