import {
  constants,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'

export type Json = Record<string, unknown>

/** `rsa`, `ec` and `ed` are published; `stranger` is not, and `short` has too few bits to be secure. */
export type KeyName = 'rsa' | 'ec' | 'ed' | 'stranger' | 'short'
export type Keys = Record<KeyName, KeyObject>

export const makeKeys = (): Keys => ({
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  ed: generateKeyPairSync('ed25519').privateKey,
  stranger: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  short: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
})

export const publicKey = (key: KeyObject, kid: string): Json => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  kid,
  use: 'sig',
})

const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** A JWS with the algorithm named in the header, including `none` and shared secrets. */
export function makeToken(header: Json, claims: Json, key: KeyObject, secret: string): string {
  const data = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`
  return `${data}.${signature(String(header['alg']), Buffer.from(data), key, secret).toString('base64url')}`
}

function signature(alg: string, data: Buffer, key: KeyObject, secret: string): Buffer {
  const digest = `sha${alg.slice(2)}`
  switch (alg.slice(0, 2)) {
    case 'HS':
      return createHmac(digest, secret).update(data).digest()
    case 'RS':
      return sign(digest, data, key)
    case 'PS':
      return sign(digest, data, {
        key,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
      })
    case 'ES':
      return sign(digest, data, { key, dsaEncoding: 'ieee-p1363' })
    case 'Ed':
      return sign(null, data, key)
    default:
      return Buffer.alloc(0)
  }
}
