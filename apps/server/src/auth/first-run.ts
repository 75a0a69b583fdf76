import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** The one-time token for the first setup. It is stored in the data folder and printed on the console. */
export interface FirstRun {
  token: string
  file: string
}

const fileIn = (dataDir: string) => path.join(dataDir, '.bootstrap_token')

/** The token of an earlier start, so that an open page still works, or a new one. */
export function knownOrNewToken(dataDir: string): string {
  const known = readToken(dataDir)
  return /^[0-9a-f]{32}$/.test(known) ? known : randomBytes(16).toString('hex')
}

function readToken(dataDir: string): string {
  const file = fileIn(dataDir)
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : ''
}

export function openFirstRun(dataDir: string, token = knownOrNewToken(dataDir)): FirstRun {
  const file = fileIn(dataDir)
  const known = readToken(dataDir)
  if (token !== known) {
    fs.rmSync(file, { force: true })
    fs.writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' })
  }
  fs.chmodSync(file, 0o600)
  return { token, file }
}

export function closeFirstRun(dataDir: string): void {
  fs.rmSync(fileIn(dataDir), { force: true })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

export const isSetupToken = (firstRun: FirstRun, shown: string): boolean =>
  timingSafeEqual(digest(shown.trim().toLowerCase()), digest(firstRun.token))
