import { isIP } from 'node:net'
import { sshUser } from './ssh.ts'

/** Shell lines for root on a node. `remove` undoes `install`, and both are safe to repeat. */
export interface TemperatureSetup {
  install: string[]
  remove: string[]
}

const home = '/var/lib/pulse-sensors'
const helper = '/usr/local/lib/pulse-sensors'

/**
 * The account's shell is the helper itself, and the key's entry forces it as well. Any command prints only
 * the temperatures. Account, key file and helper belong to root, so the account can change none of them.
 */
export function temperatureSetup({
  publicKey,
  from,
}: {
  publicKey: string
  /** addresses or subnets that the server connects from; any when empty */
  from: readonly string[]
}): TemperatureSetup {
  const [type, key] = publicKey.split(' ')
  if (type !== 'ssh-ed25519' || !key || !/^[A-Za-z0-9+/]{60,80}={0,2}$/.test(key)) {
    throw new Error('this is not the public key of the server')
  }
  for (const range of from)
    if (!isAddressRange(range)) throw new Error(`${range} is neither an address nor a subnet`)
  const limits = ['restrict', `command="${helper}"`, ...(from.length > 0 ? [`from="${from.join(',')}"`] : [])]
  const entry = `${limits.join(',')} ${type} ${key} ${sshUser}`
  return {
    install: [
      '# shellcheck disable=SC2016',
      `printf '%s\\n' ${helperLines.map(quoted).join(' \\\n  ')} > ${quoted(`${helper}.new`)}`,
      `chmod 0755 ${quoted(`${helper}.new`)}`,
      `mv ${quoted(`${helper}.new`)} ${quoted(helper)}`,
      `id ${quoted(sshUser)} >/dev/null 2>&1 || useradd --system --user-group --password '*' ` +
        `--home-dir ${quoted(home)} --no-create-home --shell ${quoted(helper)} ${quoted(sshUser)}`,
      `install -d -o root -g root -m 0755 ${quoted(home)} ${quoted(`${home}/.ssh`)}`,
      `touch ${quoted(keys)}`,
      // Replaces only this server's earlier entry, because another Pulse may have its own.
      `{ grep -v -F -- ${quoted(key)} ${quoted(keys)} || true; printf '%s\\n' ${quoted(entry)}; } > ${quoted(`${keys}.new`)}`,
      `chmod 0644 ${quoted(`${keys}.new`)}`,
      `mv ${quoted(`${keys}.new`)} ${quoted(keys)}`,
      'command -v sensors >/dev/null 2>&1 || DEBIAN_FRONTEND=noninteractive apt-get install -y lm-sensors ||',
      "  echo 'lm-sensors could not be installed: only the first thermal zone will be read' >&2",
    ],
    remove: [
      `if [ -f ${quoted(keys)} ]; then`,
      `  { grep -v -F -- ${quoted(key)} ${quoted(keys)} || true; } > ${quoted(`${keys}.new`)}`,
      `  chmod 0644 ${quoted(`${keys}.new`)}`,
      `  mv ${quoted(`${keys}.new`)} ${quoted(keys)}`,
      'fi',
      `if [ ! -s ${quoted(keys)} ]; then`,
      `  if id ${quoted(sshUser)} >/dev/null 2>&1; then userdel ${quoted(sshUser)}; fi`,
      `  rm -rf ${quoted(home)}`,
      `  rm -f ${quoted(helper)}`,
      'fi',
    ],
  }
}

/** A shell function for a larger script: `temperature_helper install` and `temperature_helper remove`. */
export const temperatureFunction = ({ install, remove }: TemperatureSetup): string =>
  [
    'temperature_helper() {',
    'if [ "$1" = install ]; then',
    ...install.map((line) => `  ${line}`),
    'else',
    ...remove.map((line) => `  ${line}`),
    'fi',
    '}',
  ].join('\n')

/** A complete script for a node that was added without the setup script. */
export const temperatureScript = (setup: TemperatureSetup): string =>
  [
    '#!/bin/sh',
    '# Lets Pulse read the temperatures of this Proxmox VE host. Undo it with: --remove',
    'set -eu',
    temperatureFunction(setup),
    'if [ "$(id -u)" -ne 0 ]; then echo "Run this as root." >&2; exit 1; fi',
    'if [ "${1:-}" = "--remove" ]; then',
    '  temperature_helper remove',
    '  echo "The temperature helper is removed."',
    '  exit 0',
    'fi',
    'temperature_helper install',
    'echo "The temperature helper is installed. The host key of this host, to compare:"',
    'for key in /etc/ssh/ssh_host_*_key.pub; do ssh-keygen -l -f "$key"; done',
    '',
  ].join('\n')

const keys = `${home}/.ssh/authorized_keys`

const helperLines = [
  '#!/bin/sh',
  '# Prints the temperatures of this host for Pulse. It takes no arguments and reads nothing.',
  'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
  'export PATH',
  'if command -v sensors >/dev/null 2>&1; then exec sensors -j </dev/null 2>/dev/null; fi',
  'zone=/sys/class/thermal/thermal_zone0/temp',
  'if [ ! -r "$zone" ]; then echo "{}"; exit 0; fi',
  'read -r milli < "$zone"',
  'printf \'{"cpu_thermal-virtual-0":{"temp1":{"temp1_input":%d.%03d}}}\\n\' "$((milli / 1000))" "$((milli % 1000))"',
]

/** Quotes any text as one POSIX shell word. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Whether `from=` accepts the text unambiguously: an address or a subnet. */
export function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128))
}
