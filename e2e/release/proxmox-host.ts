import type { Machine } from '@pulse/testkit/machine'

/** The Proxmox VE commands that the script uses. The one container is this machine; a file holds the list. */
const commands: Record<string, string> = {
  pvesh: 'echo \'"104"\'',
  pveam: `case "$1" in
  list) echo 'NAME SIZE'; echo 'local:vztmpl/debian-12-standard_12.2-1_amd64.tar.zst 120MB'; echo 'local:vztmpl/debian-12-standard_12.12-1_amd64.tar.zst 120MB' ;;
  *) exit 1 ;;
esac`,
  pct: `echo "$*" >>/run/pct.log
case "$1" in
  list) echo 'VMID       Status     Lock         Name'; cat /run/containers 2>/dev/null || true ;;
  create) echo "$2        stopped                 pulse" >/run/containers ;;
  status) if grep -q running /run/containers; then echo 'status: running'; else echo 'status: stopped'; fi ;;
  start) sed -i 's/stopped/running/' /run/containers ;;
  push) cp "$3" "$4" ;;
  exec) shift 3; exec "$@" ;;
  *) exit 1 ;;
esac`,
  // every package is installed: a test downloads none
  dpkg: 'exit 0',
}

export async function likeProxmoxHost(machine: Machine): Promise<void> {
  for (const [name, text] of Object.entries(commands)) {
    await machine.sh(
      `cat >/usr/local/bin/${name} <<'TEXT'\n#!/bin/sh\n${text}\nTEXT\nchmod 0755 /usr/local/bin/${name}`,
    )
  }
}
