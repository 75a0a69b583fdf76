/**
 * The part common to both scripts. Variable names are written without braces, because this text is a template
 * literal. The values of a script are shell constants only.
 */
export const commonPart = String.raw`
say() { printf '%s\n' "$*"; }

# What happened, and what to do about it.
fail() {
  printf 'Pulse: %s\n' "$1" >&2
  if [ "$#" -gt 1 ]; then printf '       %s\n' "$2" >&2; fi
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing on this host." "$2"
}

# A list in JSON on standard input, one object a line, in the spelling without white space between its parts.
objects() {
  sed -z \
    -e 's/[\r\n]//g' -e 's/"[[:space:]]*:[[:space:]]*/":/g' -e 's/,[[:space:]]*"/,"/g' \
    -e 's/{[[:space:]]*/{/g' -e 's/[[:space:]]*}/}/g' -e 's/},[[:space:]]*{/}\n{/g'
}

# Whether one object of the list holds all of these texts.
has_object() {
  local lines line pattern
  lines=$(objects)
  while IFS= read -r line; do
    for pattern in "$@"; do
      case "$line" in
        *"$pattern"*) ;;
        *) continue 2 ;;
      esac
    done
    return 0
  done <<<"$lines"
  return 1
}

# Every call to Pulse. What is secret comes by standard input: arguments show in the list of processes.
call_pulse() {
  if [ -n "$TLS_PIN" ]; then
    curl --silent --show-error --max-time 60 --insecure --pinnedpubkey "$TLS_PIN" --write-out '\n%{http_code}' "$@"
  else
    curl --silent --show-error --max-time 60 --write-out '\n%{http_code}' "$@"
  fi
}

status_of() { printf '%s' "$1" | tail -n 1; }

reason_of() {
  local text
  text=$(printf '%s' "$1" | sed -n '1s/^{"error":"\(\([^"\\]\|\\.\)*\)".*/\1/p')
  if [ -n "$text" ]; then printf '%s' "$text"; else printf 'HTTP status %s' "$(status_of "$1")"; fi
}

setup_code=''

read_code() {
  setup_code=$(printenv PULSE_SETUP_CODE || true)
  unset PULSE_SETUP_CODE
  if [ -z "$setup_code" ]; then
    # Off before the question, so that a quick answer does not show either.
    { stty -echo </dev/tty; } 2>/dev/null ||
      fail 'A setup code is required, and there is no terminal to enter it.' \
        'Set PULSE_SETUP_CODE to the code that Pulse shows next to the setup command.'
    trap 'stty echo </dev/tty' EXIT
    printf 'Setup code (Pulse shows it next to the setup command): ' >/dev/tty
    IFS= read -r setup_code </dev/tty || true
    stty echo </dev/tty
    trap - EXIT
    printf '\n' >/dev/tty
  fi
  [[ "$setup_code" =~ ^[0-9A-Fa-f]+$ ]] ||
    fail 'This is not a setup code.' 'Copy the code that Pulse shows next to the setup command.'
}

# Before anything is changed here: a token that was replaced and not registered would leave Pulse blind.
check_code() {
  local answer
  need curl 'Install it (apt-get install curl) and run this script again.'
  answer=$(printf 'header = "X-Setup-Code: %s"\n' "$setup_code" | call_pulse --config - "$SCRIPT_URL") ||
    fail "Pulse at $PULSE_URL cannot be reached from this host." \
      'Check address, firewall and certificate. With your own certificate authority: export CURL_CA_BUNDLE=/path/to/ca.pem'
  [ "$(status_of "$answer")" = 200 ] ||
    fail "Pulse rejected the setup code: $(reason_of "$answer")" 'Nothing was changed on this host.'
}

token_value=''

check_token_value() {
  [[ "$token_value" =~ ^[0-9A-Za-z-]+$ ]] || fail "$1 answered without the token's secret." \
    'Run this script again with a new setup code; it replaces the token.'
}

fingerprint=''
cluster_fingerprints=''

is_fingerprint() { [[ "$1" =~ ^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$ ]]; }

show_values() {
  say ''
  say 'Enter these values in Pulse by hand (Settings, Add node):'
  say "  Host         $HOST_URL"
  say "  Token ID     $TOKEN_ID"
  say "  Token value  $token_value"
  if [ -n "$fingerprint" ]; then say "  Fingerprint  $fingerprint"; fi
}

# All parts have been checked for signs that JSON would have to escape.
register() {
  local server_name answer
  server_name=$1
  answer=$(
    printf '{"type":"%s","host":"%s","serverName":"%s","tokenId":"%s","tokenValue":"%s","setupCode":"%s"%s%s}' \
      "$KIND" "$HOST_URL" "$server_name" "$TOKEN_ID" "$token_value" "$setup_code" \
      "$(if [ -n "$fingerprint" ]; then printf ',"fingerprint":"%s"' "$fingerprint"; fi)" \
      "$(if [ -n "$cluster_fingerprints" ]; then printf ',"clusterFingerprints":[%s]' "$cluster_fingerprints"; fi)" |
      call_pulse --header 'Content-Type: application/json' --data-binary @- "$PULSE_URL/api/auto-register"
  ) || {
    show_values
    fail "Pulse at $PULSE_URL did not answer the registration."
  }
  [ "$(status_of "$answer")" = 200 ] || {
    show_values
    fail "Pulse did not register this host: $(reason_of "$answer")"
  }
  say "Pulse now monitors this host as $server_name."
}

action=install

read_arguments() {
  local argument
  for argument in "$@"; do
    case "$argument" in
      --remove) action=remove ;;
      --help)
        say 'Usage: bash SCRIPT [--remove]'
        say 'Without options: lets Pulse monitor this host. With --remove: removes everything that this script created.'
        exit 0
        ;;
      *) fail 'The only options are --remove and --help.' ;;
    esac
  done
  [ "$(id -u)" = 0 ] || fail 'This script must run as root.' 'Use the shell of the node, or sudo.'
}
`
