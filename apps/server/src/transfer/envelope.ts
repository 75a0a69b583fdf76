import { argon2, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AppError } from '../app-error.ts'
import type { KdfCost } from '../hashing.ts'

/**
 * `npm run bench -- --hashes` measures at least 250 ms. A thief of a file pays this for each guessed
 * passphrase.
 */
export const exportCost: KdfCost = { memory: 65_536, passes: 10, parallelism: 1 }

/** A file states the cost of its key, so bounds are needed. */
const bounds = { memory: [8_192, 262_144], passes: [1, 32], parallelism: [1, 4] } as const
const MAX_WORK = 2 * 1024 * 1024

const MAGIC = Buffer.from('PULSECFG')
const VERSION = 1
const SALT_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SALT_AT = MAGIC.length + 1 + 4 + 1 + 1
const HEADER_BYTES = SALT_AT + SALT_BYTES + NONCE_BYTES

export const isEnvelope = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

/** Header, ciphertext, tag. The header is authenticated too. */
export async function seal(text: string, passphrase: string, cost = exportCost): Promise<Buffer> {
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  let at = header.writeUInt8(VERSION, MAGIC.length)
  at = header.writeUInt32BE(cost.memory, at)
  at = header.writeUInt8(cost.passes, at)
  header.writeUInt8(cost.parallelism, at)
  randomBytes(SALT_BYTES + NONCE_BYTES).copy(header, SALT_AT)
  const { salt, nonce } = partsOf(header)
  const key = await derive(passphrase, salt, cost)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(header)
  return Buffer.concat([header, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/**
 * Throws `invalid_import` for an invalid file before any work, and `wrong_passphrase` if the file does not
 * open.
 */
export async function open(bytes: Buffer, passphrase: string, toKey = derive): Promise<string> {
  const cost = readCost(bytes)
  const header = bytes.subarray(0, HEADER_BYTES)
  const { salt, nonce } = partsOf(header)
  const key = await toKey(passphrase, salt, cost)
  return decrypt({ key, nonce, aad: header, sealed: bytes.subarray(HEADER_BYTES) })
}

export function decrypt(from: { key: Buffer; nonce: Buffer; aad?: Buffer; sealed: Buffer }): string {
  const { key, nonce, aad, sealed } = from
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  if (aad) decipher.setAAD(aad)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  } catch {
    throw new AppError('wrong_passphrase', 'The passphrase is wrong, or the file is damaged.')
  }
}

function readCost(bytes: Buffer): KdfCost {
  if (bytes.length <= HEADER_BYTES + TAG_BYTES) throw notAnExport()
  if (bytes[MAGIC.length] !== VERSION) {
    throw new AppError(
      'invalid_import',
      'The file was written by another version of Pulse with a different encryption format.',
    )
  }
  const at = MAGIC.length + 1
  const cost = {
    memory: bytes.readUInt32BE(at),
    passes: bytes.readUInt8(at + 4),
    parallelism: bytes.readUInt8(at + 5),
  }
  const isWithin = (name: keyof KdfCost) => cost[name] >= bounds[name][0] && cost[name] <= bounds[name][1]
  const isBounded = isWithin('memory') && isWithin('passes') && isWithin('parallelism')
  if (!isBounded || cost.memory * cost.passes > MAX_WORK) throw notAnExport()
  return cost
}

export const notAnExport = (): AppError =>
  new AppError('invalid_import', 'This is not an export of Pulse, or it is damaged.')

const partsOf = (header: Buffer) => ({
  salt: header.subarray(SALT_AT, SALT_AT + SALT_BYTES),
  nonce: header.subarray(SALT_AT + SALT_BYTES),
})

function derive(passphrase: string, nonce: Buffer, cost: KdfCost): Promise<Buffer> {
  const message = passphrase.normalize('NFC')
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, ...cost, tagLength: 32 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
