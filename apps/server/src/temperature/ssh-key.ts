import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { keyFile, SensorsError } from './ssh.ts'

const run = promisify(execFile)
const keygenPath = '/usr/bin/ssh-keygen'

/** Returns undefined if there is no key yet. */
export function readPublicKey(folder: string): string | undefined {
  const file = path.join(folder, `${keyFile}.pub`)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : undefined
}

/** The server's SSH key for reading temperatures, created on first use. */
export async function ensureKey(folder: string): Promise<string> {
  const known = readPublicKey(folder)
  if (known !== undefined) return known
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.rmSync(path.join(folder, keyFile), { force: true }) // incomplete: ssh-keygen would ask to overwrite it
  try {
    await run(keygenPath, ['-q', '-t', 'ed25519', '-N', '', '-C', 'pulse-sensors', '-f', keyFile], {
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      timeout: 10_000,
    })
  } catch (cause) {
    throw new SensorsError(
      `${keygenPath} could not make a key: install the OpenSSH client where Pulse runs`,
      {
        cause,
      },
    )
  }
  return readPublicKey(folder)!
}
