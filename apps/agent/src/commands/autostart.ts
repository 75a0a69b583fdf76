import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'

const unit = 'pulse-docker-agent.service'
const unitFolders = ['etc/systemd/system', 'lib/systemd/system', 'usr/lib/systemd/system']
const systemctls = ['usr/bin/systemctl', 'bin/systemctl']
/** Unraid runs the scripts in this folder at boot, and keeps them on its boot drive. */
const unraidFiles = ['boot/config/go.d/pulse-docker-agent.sh', 'var/log/pulse-docker-agent.log']

/** How this host starts the agent. `root` is for tests. */
export interface Autostart {
  /** Disables the start at boot. */
  disable(): Promise<void>
  /** Stops the unit, which could otherwise restart the agent after any exit code. */
  letEnd(): Promise<void>
}

export function autostart(root = '/'): Autostart {
  const hasUnit = () => unitFolders.some((folder) => fs.existsSync(`${root}${folder}/${unit}`))
  const systemctl = () => systemctls.map((file) => root + file).find((file) => fs.existsSync(file))
  return {
    async disable() {
      if (hasUnit()) await run(systemctl(), 'disable')
      for (const file of unraidFiles) fs.rmSync(root + file, { force: true })
    },
    async letEnd() {
      if (hasUnit()) await run(systemctl(), 'stop', '--no-block')
    },
  }
}

/** Runs systemctl by its full path, and without this process's environment, which contains the token. */
async function run(systemctl: string | undefined, ...what: string[]): Promise<void> {
  if (systemctl === undefined) throw new Error(`${unit} is installed, but systemctl is not found.`)
  try {
    await promisify(execFile)(systemctl, [...what, unit], { env: { LC_ALL: 'C' }, timeout: 20_000 })
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { stderr?: string }
    const words = stderr.trim().split('\n')[0] || message
    throw new Error(`systemctl ${what.join(' ')} ${unit} failed: ${words}`, { cause })
  }
}
