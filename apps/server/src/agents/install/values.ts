import type { InstallTexts } from '../protocol.ts'

/** A template literal cannot contain a backtick. */
const backtick = '`'

/**
 * Reads options and variables, and becomes root. The parts of the script are template literals, so shell
 * variables are written without braces. Values of the server are shell constants.
 */
export const valuesPart = ({ program, title, script, page }: InstallTexts) => String.raw`
readonly NAME=${program}
readonly UNIT="$ROOT/etc/systemd/system/$NAME.service"
readonly VARIABLES="$ROOT/etc/$NAME.env"
readonly LOG="$ROOT/var/log/$NAME.log"
readonly FLASH="$ROOT/boot/config"
readonly HOOK="$FLASH/go.d/$NAME.sh"
readonly KEPT="$FLASH/$NAME"

say() { printf '%s\n' "$*"; }
warn() { printf 'Pulse: %s\n' "$*" >&2; }

# What happened, and what to do about it.
fail() {
  printf 'Pulse: %s\n' "$1" >&2
  if [ "$#" -gt 1 ]; then printf '       %s\n' "$2" >&2; fi
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

usage() {
  say 'Usage: sh ${script.slice(1)} [--url URL] --token TOKEN [--interval 30s] [--agent-path FILE]'
  say '       sh ${script.slice(1)} --target "URL|TOKEN[|insecure]" [--target ...]'
  say '       sh ${script.slice(1)} --uninstall [--purge]'
  say 'Variables: PULSE_URL, PULSE_TOKEN, PULSE_TARGETS, PULSE_AGENT_PATH, PULSE_INSECURE_SKIP_VERIFY=true'
}

action=install
purge=no
interval=''
insecure=no
all_insecure=''
new=''
work=''

# Of the environment, by its name; empty when it is not there.
variable() { (set +u && eval "printf '%s' \"\$$1\""); }

read_environment() {
  url=$(variable PULSE_URL)
  token=$(variable PULSE_TOKEN)
  targets=$(variable PULSE_TARGETS)
  agent_path=$(variable PULSE_AGENT_PATH)
  case "$(variable PULSE_INSECURE_SKIP_VERIFY)" in
    1 | true | TRUE | True | yes | on)
      insecure=yes
      all_insecure=yes
      ;;
  esac
}

read_arguments() {
  while [ "$#" -gt 0 ]; do
    case "$1" in
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      --help)
        usage
        exit 0
        ;;
      --url | --token | --target | --interval | --agent-path)
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
}

take() {
  case "$1" in
    --url) url=$2 ;;
    --token) token=$2 ;;
    --target) targets="$targets;$2" ;;
    --interval) interval=$2 ;;
    --agent-path) agent_path=$2 ;;
  esac
}

is_url() {
  case "$1" in
    *[!][A-Za-z0-9._~:/%-]*) return 1 ;;
    http://?* | https://?*) return 0 ;;
  esac
  return 1
}

# One word on one line; what parts targets cannot be in it.
is_token() {
  case "$1" in
    '' | *[![:graph:]]* | *[\|\;]*) return 1 ;;
  esac
}

is_duration() { is_token "$1" && printf '%s\n' "$1" | grep -Eqx '([0-9]+(\.[0-9]+)?(ms|s|m|h))+'; }

without_slashes() { printf '%s' "$1" | sed 's,/*$,,'; }

check_values() {
  case "$agent_path" in
    '') ;;
    *[!A-Za-z0-9._/+@-]*) fail 'The path of the agent contains an invalid character.' 'Allowed: letters, digits and . _ / + @ -' ;;
    */../* | */..) fail 'The path of the agent must not contain "..".' ;;
    /*) ;;
    *) fail 'The path of the agent must begin with /.' ;;
  esac
  if [ "$action" = uninstall ]; then return; fi
  [ "$purge" = no ] || fail '--purge requires --uninstall.'
  [ -z "$interval" ] || is_duration "$interval" || fail 'The interval is not a duration.' 'Write it like 30s or 1m30s.'
  targets=$(printf '%s\n' "$targets" | tr ';' '\n' | sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d')
  if [ -n "$token" ]; then add_first_target; fi
  [ -n "$targets" ] || fail 'A token is required.' 'Create one in Pulse (Settings, ${page}) and pass it with --token or in PULSE_TOKEN.'
  printf '%s\n' "$targets" | while IFS= read -r line; do check_target "$line"; done
  read_first_target
}

add_first_target() {
  is_token "$token" || fail 'The token is not valid.' 'Copy it from Pulse again. It is one word.'
  if [ -z "$url" ]; then url=$DEFAULT_URL; fi
  line="$(without_slashes "$url")|$token"
  if [ -n "$all_insecure" ]; then line="$line|insecure"; fi
  targets=$(printf '%s\n%s\n' "$line" "$targets" | sed '/^$/d')
}

check_target() {
  split_target "$1"
  is_url "$target_url" || fail 'The URL of Pulse is not valid.' 'Write it like https://pulse.example.com:7655.'
  is_token "$target_token" || fail 'A target has no token.' 'Write it like https://pulse.example.com:7655|TOKEN.'
  case "$target_option" in
    '' | insecure) ;;
    *) fail 'Only the word insecure can follow the token of a target.' ;;
  esac
}

split_target() {
  IFS='|' read -r target_url target_token target_option <<TARGET
$1
TARGET
}

# The first one is where the agent comes from.
read_first_target() {
  split_target "$(printf '%s\n' "$targets" | sed -n 1p)"
  server_url=$(without_slashes "$target_url")
  server_token=$target_token
  if [ "$target_option" = insecure ]; then insecure=yes; fi
}

# A line of variables, which is the same text to systemd and to a shell.
assign() { printf '%s="%s"\n' "$1" "$(printf '%s' "$2" | sed 's/[\\"$${backtick}]/\\&/g')"; }

# Variables go by a file that only their owner may read: arguments show in the list of processes.
become_root() {
  if [ "$(id -u)" = 0 ]; then return; fi
  has sudo || fail 'This script must run as root, and sudo is not installed.' 'Run the same command in a root shell.'
  folder=$(mktemp -d)
  if [ -f "$0" ] && grep -q '^# Installs the ${title}' "$0"; then
    cat "$0" >"$folder/install.sh"
  elif [ "$action" = uninstall ] || ! fetch "$server_url${script}" "$folder/install.sh"; then
    rm -rf "$folder"
    fail 'This script must run as root.' 'Put sudo before sh: ... | sudo sh -s -- and the same options.'
  fi
  for name in PULSE_URL PULSE_TOKEN PULSE_TARGETS PULSE_AGENT_PATH PULSE_INSECURE_SKIP_VERIFY; do
    value=$(variable "$name")
    if [ -n "$value" ]; then
      assign "$name" "$value"
      say "export $name"
    fi
  done >"$folder/variables"
  # shellcheck disable=SC2016 # for the shell of root
  exec sudo sh -c 'folder=$1; shift; . "$folder/variables"; rm -f "$folder/variables"; sh "$folder/install.sh" "$@"; code=$?; rm -rf "$folder"; exit "$code"' sh "$folder" "$@"
}

clean_up() {
  if [ -n "$new" ]; then rm -f "$new"; fi
  if [ -n "$work" ]; then rm -rf "$work"; fi
}
`
