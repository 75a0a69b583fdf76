import { ConfigExport, maxExportLength } from '@pulse/contract'
import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { decrypt, isEnvelope, notAnExport, open } from './envelope.ts'

/**
 * The bytes of an export file: the downloaded JSON, or only its base64. Throws before any work on other
 * input.
 */
export function bytesOf(file: string): Buffer {
  const text = file.trim()
  if (text.length > maxExportLength + 1_000) throw notAnExport()
  const coded = (text.startsWith('{') ? wrapped(text) : text).replaceAll(/[\r\n]/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(coded)) throw notAnExport()
  const bytes = Buffer.from(coded, 'base64')
  // Stray bits at the end would be an undetected change.
  if (bytes.toString('base64') !== coded) throw notAnExport()
  return bytes
}

export const toFile = (bytes: Buffer): ConfigExport => ({ status: 'success', data: bytes.toString('base64') })

function wrapped(text: string): string {
  try {
    return ConfigExport.parse(JSON.parse(text)).data.trim()
  } catch {
    throw notAnExport()
  }
}

/** The content of the file, and whether Pulse 4.x wrote it. */
export async function unseal(bytes: Buffer, passphrase: string): Promise<{ text: string; older: boolean }> {
  if (isEnvelope(bytes)) return { text: await open(bytes, passphrase), older: false }
  return { text: await openLegacy(bytes, passphrase), older: true }
}

const deriveLegacy = promisify(pbkdf2)
const LEGACY_SALT = 32
const LEGACY_NONCE = 12
const LEGACY_MIN = LEGACY_SALT + LEGACY_NONCE + 16 + 2

/** The envelope of Pulse 4.x has no header: salt, nonce, and ciphertext with its tag. */
async function openLegacy(bytes: Buffer, passphrase: string): Promise<string> {
  if (bytes.length < LEGACY_MIN) throw notAnExport()
  const salt = bytes.subarray(0, LEGACY_SALT)
  const key = await deriveLegacy(passphrase, salt, 100_000, 32, 'sha256')
  const nonce = bytes.subarray(LEGACY_SALT, LEGACY_SALT + LEGACY_NONCE)
  return decrypt({ key, nonce, sealed: bytes.subarray(LEGACY_SALT + LEGACY_NONCE) })
}
