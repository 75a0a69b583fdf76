import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { SensorsError } from './ssh.ts'

const hostKey = /^(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]{40,2000}={0,2}$/

/** Writes the file with the one host key that ssh may accept for this node. */
export function writeHostKey(folder: string, alias: string, key: string): string {
  if (!hostKey.test(key)) throw new SensorsError('the stored host key is damaged')
  const file = path.join(folder, alias)
  const line = `${alias} ${key}\n`
  if (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') !== line)
    fs.writeFileSync(file, line, { mode: 0o600 })
  return alias
}

/** An empty file, in which ssh records the host key of the first contact. */
export function blankHostKeyFile(folder: string, alias: string): string {
  const name = blankName(alias)
  fs.writeFileSync(path.join(folder, name), '', { mode: 0o600 })
  return name
}

export function takeHostKey(folder: string, name: string): string {
  const file = path.join(folder, name)
  const line = fs.readFileSync(file, 'utf8').trim().split('\n')[0] ?? ''
  fs.rmSync(file)
  const key = line.slice(line.indexOf(' ') + 1)
  if (!hostKey.test(key)) throw new SensorsError('showed no host key that can be stored')
  return key
}

export function forgetHostKey(folder: string, alias: string): void {
  fs.rmSync(path.join(folder, alias), { force: true })
  forgetNewHostKey(folder, alias)
}

export function forgetNewHostKey(folder: string, alias: string): void {
  fs.rmSync(path.join(folder, blankName(alias)), { force: true })
}

const blankName = (alias: string) => `${alias}.new`

/** In the format of `ssh-keygen -l`, so that an administrator can compare. */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256')
    .update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
    .digest('base64')
  return `SHA256:${digest.replaceAll('=', '')}`
}
