import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { temperatureScript, type TemperatureSetup } from './setup.ts'

/** A fake host in a folder, for tests. The real script runs with its paths moved into that folder. */
export interface Sandbox {
  folder: string
  run(setup: TemperatureSetup, ...parameters: string[]): string
  /** Sets the shell lines that `sensors -j` runs on this host. */
  sensors(shellLines: string): void
  authorizedKeys(): string
  /** all files of the host */
  files(): string[]
  remove(): void
}

export function sandbox(): Sandbox {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-sandbox-'))
  const bin = path.join(folder, 'bin')
  const command = (name: string, lines: string) =>
    fs.writeFileSync(path.join(bin, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  for (const dir of [bin, path.join(folder, 'var/lib'), path.join(folder, 'usr/local/lib')]) {
    fs.mkdirSync(dir, { recursive: true })
  }
  command('id', `if [ "$1" = -u ]; then echo 0; else test -e ${folder}/account; fi`)
  command('useradd', `touch ${folder}/account`)
  command('userdel', `rm ${folder}/account`)
  command('install', `for last in "$@"; do :; done; mkdir -p ${folder}/var/lib/pulse-sensors/.ssh`)
  command('apt-get', 'exit 1')
  const move = (text: string) =>
    text
      .replaceAll('/var/lib/', `${folder}/var/lib/`)
      .replaceAll('/usr/local/lib/', `${folder}/usr/local/lib/`)
      .replaceAll('PATH=/usr/sbin:', `PATH=${bin}:/usr/sbin:`)
  const keysFile = path.join(folder, 'var/lib/pulse-sensors/.ssh/authorized_keys')
  return {
    folder,
    run(setup, ...parameters) {
      const script = path.join(folder, 'script')
      fs.writeFileSync(script, move(temperatureScript(setup)))
      const output = execFileSync('/bin/sh', [script, ...parameters], {
        env: { PATH: `${bin}:/usr/bin:/bin` },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      fs.rmSync(script)
      return output
    },
    sensors: (lines) => command('sensors', lines),
    authorizedKeys: () => (fs.existsSync(keysFile) ? fs.readFileSync(keysFile, 'utf8') : ''),
    files: () =>
      fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.startsWith('bin/') && fs.statSync(path.join(folder, name)).isFile())
        .sort(),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}
