import fs from 'node:fs'
import os from 'node:os'

/** What is known of the machine without asking the engine. */
export interface Machine {
  hostname: string
  /** undefined where there is none */
  id: string | undefined
  /** what runs here runs in a container */
  isContainer: boolean
  uptimeSeconds: () => number
}

/** Not the number that the firmware tells: in a system container that one is its host's. */
const idFiles = ['etc/machine-id', 'var/lib/dbus/machine-id']

export function readMachine(root = '/'): Machine {
  return {
    hostname: os.hostname(),
    id: idFiles.map((file) => idIn(root + file)).find((id) => id !== undefined),
    isContainer: ['.dockerenv', 'run/.containerenv'].some((file) => fs.existsSync(root + file)),
    uptimeSeconds: os.uptime,
  }
}

function idIn(file: string): string | undefined {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
  // before its first start an image has 'uninitialized' there, or nothing
  return /^[0-9a-f]{32}$/.test(text) ? text : undefined
}
