import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'

const unit = 'pulse-docker-agent.service'
const unitFolders = ['etc/systemd/system', 'lib/systemd/system', 'usr/lib/systemd/system']
const systemctls = ['usr/bin/systemctl', 'bin/systemctl']
/** Unraid runs what lies there when it starts, and keeps it on its boot drive. */
const unraidFiles = ['boot/config/go.d/pulse-docker-agent.sh', 'var/log/pulse-docker-agent.log']

/** How this host starts the agent. `root` is another folder in tests alone. */
export interface Autostart {
  /** It will not come back with the host. Rejects with what kept it. */
  disable(): Promise<void>
  /** A unit that restarts its program whatever it ended with is told to stop; any other lets it end. */
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

/** By its full path and with nothing of this process's environment, in which the token is. */
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
