import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** The publisher has it; it is no part of the repository. */
export function readKey(file) {
  const key = createPrivateKey(readFileSync(file))
  if (key.asymmetricKeyType === 'ed25519') return key
  throw new Error(`${file} holds a key of another kind; make one with: openssl genpkey -algorithm ed25519`)
}

export const publicKeyOf = (key) => String(createPublicKey(key).export({ type: 'spki', format: 'pem' }))
