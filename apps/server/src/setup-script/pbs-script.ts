/**
 * Proxmox Backup Server 2, 3 and 4. A token there has its own permissions, limited by those of its user, so
 * both get them.
 */
export const pbsPart = String.raw`
readonly USER_ID='pulse-monitor@pbs'
readonly TOKEN_ID="$USER_ID!$TOKEN_NAME"

pbm() { proxmox-backup-manager "$@"; }

detect() {
  local version major
  need proxmox-backup-manager 'This script is for Proxmox Backup Server. For Proxmox VE, choose that type in Pulse.'
  version=$(pbm versions) || fail 'proxmox-backup-manager versions does not work on this host.'
  major=$(printf '%s\n' "$version" | sed -n 's/^[[:space:]]*proxmox-backup-server[[:space:]]*\([0-9]\{1,3\}\)\..*/\1/p' | sed -n 1p)
  [ -n "$major" ] || fail 'The version cannot be read from proxmox-backup-manager versions.'
  [ "$major" -ge 2 ] || fail "Proxmox Backup Server $major is too old." 'Version 2, 3 or 4 is required.'
  if [ "$major" -gt 4 ]; then say "Proxmox Backup Server $major is newer than this script supports; it continues as for version 4."; fi
}

list_users() { pbm user list --output-format json || fail 'The list of users cannot be read (proxmox-backup-manager user list).'; }
list_rights() { pbm acl list --output-format json || fail 'The list of rights cannot be read (proxmox-backup-manager acl list).'; }
list_tokens() {
  pbm user list-tokens "$USER_ID" --output-format json ||
    fail 'The list of tokens cannot be read (proxmox-backup-manager user list-tokens).'
}

has_user() { printf '%s' "$1" | has_object "\"userid\":\"$USER_ID\""; }
has_token() { printf '%s' "$1" | has_object "\"tokenid\":\"$TOKEN_ID\""; }
has_right() { printf '%s' "$1" | has_object "\"path\":\"$2\"" "\"roleid\":\"$3\"" "\"ugid\":\"$4\""; }

ensure_user() {
  local users
  users=$(list_users)
  if has_user "$users"; then
    say "The user $USER_ID exists."
    return
  fi
  pbm user create "$USER_ID" --comment 'Pulse monitoring' || fail "The user $USER_ID could not be added (user create)."
  users=$(list_users)
  has_user "$users" || fail "The user $USER_ID was added, but is not listed."
  say "Added the user $USER_ID, which has no password."
}

grant() {
  local rights
  pbm acl update "$1" "$2" --auth-id "$3" || fail "$3 could not be given $2 on $1 (acl update)."
  rights=$(list_rights)
  has_right "$rights" "$1" "$2" "$3" || fail "$3 was given $2 on $1, but it is not listed."
  say "$3 has the role $2 on $1."
}

replace_token() {
  local tokens answer
  tokens=$(list_tokens)
  if has_token "$tokens"; then
    pbm user delete-token "$USER_ID" "$TOKEN_NAME" || fail "The old token $TOKEN_ID could not be removed (user delete-token)."
    say "Removed the old token $TOKEN_ID."
  fi
  answer=$(pbm user generate-token "$USER_ID" "$TOKEN_NAME") || fail "The token $TOKEN_ID could not be added (user generate-token)."
  token_value=$(printf '%s' "$answer" | objects | sed -n 's/.*"value":"\([^"]*\)".*/\1/p')
  check_token_value 'user generate-token'
  say "Added the token $TOKEN_ID."
}

read_fingerprint() {
  local information
  information=$(pbm cert info) || fail 'The certificate of this host cannot be read (proxmox-backup-manager cert info).'
  fingerprint=$(printf '%s\n' "$information" | sed -n 's/^Fingerprint (sha256): *\([0-9A-Fa-f:]*\)[[:space:]]*$/\1/p' | sed -n 1p)
  is_fingerprint "$fingerprint" || fail 'proxmox-backup-manager cert info shows no SHA-256 fingerprint.'
}

# The name by which Pulse lists this host, cut down to signs that every name may have.
plain_name() { printf '%s' "$1" | tr -cd '0-9A-Za-z.-' | cut -c 1-63 | sed 's/^[.-]*//'; }

set_up() {
  local name
  read_code
  check_code
  read_fingerprint
  name=$(hostname) || fail 'The name of this host cannot be read (hostname).'
  name=$(plain_name "$name")
  if [ -z "$name" ]; then name=pbs; fi
  ensure_user
  grant / Audit "$USER_ID"
  grant /remote RemoteAudit "$USER_ID"
  replace_token
  grant / Audit "$TOKEN_ID"
  grant /remote RemoteAudit "$TOKEN_ID"
  register "$name"
}

take_back() {
  local rights
  rights=$(list_rights)
  if ! has_right "$rights" "$1" "$2" "$3"; then return; fi
  pbm acl update "$1" "$2" --auth-id "$3" --delete true || fail "The role $2 on $1 could not be removed from $3 (acl update)."
  say "Removed the role $2 on $1 from $3."
}

take_down() {
  local users tokens
  users=$(list_users)
  if has_user "$users"; then
    tokens=$(list_tokens)
    if has_token "$tokens"; then
      take_back / Audit "$TOKEN_ID"
      take_back /remote RemoteAudit "$TOKEN_ID"
      pbm user delete-token "$USER_ID" "$TOKEN_NAME" || fail "The token $TOKEN_ID could not be removed (user delete-token)."
      say "Removed the token $TOKEN_ID."
    fi
    tokens=$(list_tokens)
    if printf '%s' "$tokens" | has_object '"tokenid":'; then
      say "$USER_ID and its permissions stay: it has other tokens, which other servers may use."
      return
    fi
    take_back / Audit "$USER_ID"
    take_back /remote RemoteAudit "$USER_ID"
    pbm user remove "$USER_ID" || fail "The user $USER_ID could not be removed (user remove)."
    say "Removed the user $USER_ID."
  fi
  say 'Everything that Pulse added was removed. Remove the node in Pulse too.'
}
`
