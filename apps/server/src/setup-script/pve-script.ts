/** Proxmox VE 7, 8 and 9. Users and permissions apply to the whole cluster, so one node is enough. */
export const pvePart = String.raw`
readonly USER_ID='pulse-monitor@pam'
readonly TOKEN_ID="$USER_ID!$TOKEN_NAME"
readonly ROLE='PulseMonitor'

major=''

detect() {
  local version
  need pveversion 'This script is for Proxmox VE. For Proxmox Backup Server, choose that type in Pulse.'
  need pveum 'Is this a complete Proxmox VE host?'
  need pvesh 'Is this a complete Proxmox VE host?'
  version=$(pveversion) || fail 'pveversion does not work on this host.'
  major=$(printf '%s\n' "$version" | sed -n 's/^pve-manager\/\([0-9]\{1,3\}\)\..*/\1/p' | sed -n 1p)
  [ -n "$major" ] || fail 'The version of Proxmox VE cannot be read from pveversion.'
  [ "$major" -ge 7 ] || fail "Proxmox VE $major is too old." 'Version 7, 8 or 9 is required.'
  if [ "$major" -gt 9 ]; then say "Proxmox VE $major is newer than this script supports; it continues as for version 9."; fi
}

list_users() { pveum user list --output-format json || fail 'The list of users cannot be read (pveum user list).'; }
list_roles() { pveum role list --output-format json || fail 'The list of roles cannot be read (pveum role list).'; }
list_rights() { pveum acl list --output-format json || fail 'The list of rights cannot be read (pveum acl list).'; }
list_tokens() {
  pveum user token list "$USER_ID" --output-format json ||
    fail 'The list of tokens cannot be read (pveum user token list).'
}

has_user() { printf '%s' "$1" | has_object "\"userid\":\"$USER_ID\""; }
has_role() { printf '%s' "$1" | has_object "\"roleid\":\"$ROLE\""; }
has_token() { printf '%s' "$1" | has_object "\"tokenid\":\"$TOKEN_NAME\""; }
has_right() {
  printf '%s' "$1" | has_object "\"path\":\"$2\"" "\"roleid\":\"$3\"" '"type":"user"' "\"ugid\":\"$USER_ID\""
}
# Whether a role of the list holds a privilege.
may() {
  local privileges
  privileges=$(printf '%s' "$1" | objects | sed -n "/\"roleid\":\"$2\"/s/.*\"privs\":\"\([^\"]*\)\".*/\1/p")
  case ",$privileges," in
    *",$3,"*) ;;
    *) return 1 ;;
  esac
}

ensure_user() {
  local users
  users=$(list_users)
  if has_user "$users"; then
    say "The user $USER_ID exists."
    return
  fi
  pveum user add "$USER_ID" --comment 'Pulse monitoring' || fail "The user $USER_ID could not be added (pveum user add)."
  users=$(list_users)
  has_user "$users" || fail "The user $USER_ID was added, but pveum does not list it." 'Is the cluster quorate (pvecm status)?'
  say "Added the user $USER_ID, which has no password."
}

grant() {
  local rights
  pveum acl modify "$1" --users "$USER_ID" --roles "$2" || fail "$USER_ID could not be given $2 on $1 (pveum acl modify)."
  rights=$(list_rights)
  has_right "$rights" "$1" "$2" ||
    fail "$USER_ID was given $2 on $1, but pveum does not list it." 'Is the cluster quorate (pvecm status)?'
  say "$USER_ID has the role $2 on $1."
}

# Guest agents: PVEAuditor may ask them since version 9; before, a role of our own adds that one privilege.
grant_agents() {
  local privilege roles
  privilege=VM.GuestAgent.Audit
  if [ "$major" -le 8 ]; then privilege=VM.Monitor; fi
  roles=$(list_roles)
  if may "$roles" PVEAuditor "$privilege"; then return; fi
  if ! has_role "$roles"; then
    pveum role add "$ROLE" --privs "Sys.Audit,$privilege" || fail "The role $ROLE could not be added (pveum role add)."
  elif ! may "$roles" "$ROLE" "$privilege"; then
    pveum role modify "$ROLE" --privs "Sys.Audit,$privilege" ||
      fail "The role $ROLE could not be changed (pveum role modify)."
  fi
  roles=$(list_roles)
  may "$roles" "$ROLE" "$privilege" || fail "The role $ROLE does not contain $privilege, although pveum accepted it."
  grant / "$ROLE"
}

replace_token() {
  local tokens answer
  tokens=$(list_tokens)
  if has_token "$tokens"; then
    pveum user token remove "$USER_ID" "$TOKEN_NAME" || fail "The old token $TOKEN_ID could not be removed."
    say "Removed the old token $TOKEN_ID."
  fi
  answer=$(pveum user token add "$USER_ID" "$TOKEN_NAME" --privsep 0 --output-format json) ||
    fail "The token $TOKEN_ID could not be added (pveum user token add)."
  token_value=$(printf '%s' "$answer" | objects | sed -n 's/.*"value":"\([^"]*\)".*/\1/p')
  check_token_value 'pveum user token add'
  say "Added the token $TOKEN_ID."
}

# What the web interface of a node shows: its own certificate if there is one, otherwise that of the cluster.
node_fingerprint() {
  local certificates file found
  certificates=$(timeout 20 pvesh get "/nodes/$1/certificates/info" --output-format json </dev/null | objects) || return 1
  for file in pveproxy-ssl pve-ssl; do
    found=$(printf '%s\n' "$certificates" |
      sed -n "/\"filename\":\"$file\.pem\"/s/.*\"fingerprint\":\"\([^\"]*\)\".*/\1/p")
    if is_fingerprint "$found"; then
      printf '%s' "$found"
      return
    fi
  done
  return 1
}

local_name=''

# As Proxmox VE itself wants them; what begins with a hyphen could be taken for an option.
is_node_name() { [[ "$1" =~ ^[0-9A-Za-z][0-9A-Za-z-]{0,62}$ ]]; }

# Of this node, and of every other one that is up: the address may be that of any of them.
read_fingerprints() {
  local status members name other
  status=$(pvesh get /cluster/status --output-format json) || fail 'The state of the cluster cannot be read (pvesh get /cluster/status).'
  members=$(printf '%s' "$status" | objects | grep -F '"type":"node"') || fail 'pvesh lists no node in /cluster/status.'
  local_name=$(printf '%s\n' "$members" | sed -n '/"local":1/s/.*"name":"\([^"]*\)".*/\1/p')
  is_node_name "$local_name" ||
    fail 'The name of this node cannot be read from /cluster/status.'
  fingerprint=$(node_fingerprint "$local_name") ||
    fail 'The certificate of this node cannot be read (pvesh get /nodes/NODE/certificates/info).'
  while IFS= read -r name; do
    if [ "$name" = "$local_name" ] || ! is_node_name "$name"; then continue; fi
    other=$(node_fingerprint "$name") || {
      say "The certificate of $name could not be read; Pulse asks for it later."
      continue
    }
    if [ -n "$cluster_fingerprints" ]; then cluster_fingerprints="$cluster_fingerprints,"; fi
    cluster_fingerprints="$cluster_fingerprints\"$other\""
  done <<NAMES
$(printf '%s\n' "$members" | sed -n '/"online":1/s/.*"name":"\([^"]*\)".*/\1/p' | sed '65,$d')
NAMES
  if printf '%s' "$status" | has_object '"type":"cluster"'; then
    say 'This node belongs to a cluster. Run this script on one node only: Pulse finds the other nodes.'
  fi
}

set_up() {
  read_code
  check_code
  read_fingerprints
  ensure_user
  grant / PVEAuditor
  grant_agents
  if [ "$BACKUP_PERMS" = true ]; then
    say 'To see backups, Proxmox VE requires a role that also permits changes to storages: PVEDatastoreAdmin on /storage.'
    grant /storage PVEDatastoreAdmin
  fi
  replace_token
  register "$local_name"
  temperature_helper install
}

take_back() {
  local rights
  rights=$(list_rights)
  if ! has_right "$rights" "$1" "$2"; then return; fi
  pveum acl delete "$1" --users "$USER_ID" --roles "$2" || fail "The role $2 on $1 could not be removed from $USER_ID."
  say "Removed the role $2 on $1 from $USER_ID."
}

take_down() {
  local users tokens roles rights
  temperature_helper remove
  users=$(list_users)
  if has_user "$users"; then
    tokens=$(list_tokens)
    if has_token "$tokens"; then
      pveum user token remove "$USER_ID" "$TOKEN_NAME" || fail "The token $TOKEN_ID could not be removed."
      say "Removed the token $TOKEN_ID."
    fi
    tokens=$(list_tokens)
    if printf '%s' "$tokens" | has_object '"tokenid":'; then
      say "$USER_ID and its permissions stay: it has other tokens, which other servers may use."
      return
    fi
    take_back / PVEAuditor
    take_back / "$ROLE"
    take_back /storage PVEDatastoreAdmin
    pveum user delete "$USER_ID" || fail "The user $USER_ID could not be removed (pveum user delete)."
    say "Removed the user $USER_ID."
  fi
  roles=$(list_roles)
  rights=$(list_rights)
  if has_role "$roles" && ! printf '%s' "$rights" | has_object "\"roleid\":\"$ROLE\""; then
    pveum role delete "$ROLE" || fail "The role $ROLE could not be removed (pveum role delete)."
    say "Removed the role $ROLE."
  fi
  say 'Everything that Pulse added was removed. Remove the node in Pulse too.'
}
`
