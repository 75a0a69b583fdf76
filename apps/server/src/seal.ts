import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Secrets at rest, encrypted with AES-256-GCM. `associatedData` is authenticated, so that sealed values
 * cannot be swapped.
 */
export interface Vault {
  seal(text: string, associatedData: string): string
  /** Throws when the key, the associated data or a single bit differs. */
  open(sealed: string, associatedData: string): string
  sealBytes(bytes: Uint8Array, associatedData: string): Buffer
  /** Throws when the key, the associated data or a single bit differs. */
  openBytes(sealed: Uint8Array, associatedData: string): Buffer
  /** A key of 32 bytes for something else. All vaults with the same key have the same one, which does not reveal theirs. */
  keyFor(purpose: string): Buffer
}

export function createVault(key: Buffer): Vault {
  function sealBytes(bytes: Uint8Array, associatedData: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData))
    const body = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), body])
  }

  function openBytes(sealed: Uint8Array, associatedData: string): Buffer {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(associatedData))
      .setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  }

  return {
    sealBytes,
    openBytes,
    seal: (text, associatedData) => sealBytes(Buffer.from(text), associatedData).toString('base64'),
    open: (sealed, associatedData) =>
      openBytes(Buffer.from(sealed, 'base64'), associatedData).toString('utf8'),
    keyFor: (purpose) => createHmac('sha256', key).update(`key for ${purpose}`).digest(),
  }
}
