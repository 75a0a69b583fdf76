import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { tooManyRequests } from '../app-error.ts'
import { createBoundedQueue } from '../timing/concurrency.ts'

/** OWASP's first recommendation for argon2id; memory in KiB. */
const params = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }
const settingsText = `m=${params.memory},t=${params.passes},p=${params.parallelism}`
const argon2Head = `$argon2id$v=19$${settingsText}$`
const MAX_AT_ONCE = 2
const MAX_WAITING = 64

/** Hashing is bounded: a flood of sign-ins uses at most two threads and 38 MB. */
export interface Passwords {
  /** PHC string */
  hash(password: string): Promise<string>
  /** Takes equally long with and without a stored hash, so that timing does not reveal unknown accounts. */
  verify(password: string, stored: string | null | undefined): Promise<boolean>
}

export const isPasswordHash = (text: string): boolean => isBcrypt(text) || isArgon2(text)

const isArgon2 = (text: string): boolean =>
  text.startsWith(argon2Head) && /^[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/.test(text.slice(argon2Head.length))

export const isBcrypt = (text: string): boolean => /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(text)

export type Derive = (password: string, salt: Buffer) => Promise<Buffer>

/** `derive` is the expensive function. A test counts its calls or replaces it with a cheap one. */
export function createPasswords(derive: Derive = argon2id): Passwords {
  const queue = createBoundedQueue({ atOnce: MAX_AT_ONCE, waiting: MAX_WAITING })
  const inTurn = <T>(job: () => Promise<T>): Promise<T> =>
    queue.tryRun(job) ?? Promise.reject(tooManyRequests(5_000))
  const dummy = derive('', randomBytes(16))
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(16)
        return toPhc(salt, await derive(password, salt))
      }),
    verify: (password, stored) =>
      inTurn(async () => {
        if (stored && isBcrypt(stored)) return (await import('bcryptjs')).default.compare(password, stored)
        const { salt, tag } = stored ? fromPhc(stored) : { salt: randomBytes(16), tag: await dummy }
        const matches = timingSafeEqual(await derive(password, salt), tag)
        return matches && Boolean(stored)
      }),
  }
}

export function argon2id(password: string, nonce: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message: password.normalize('NFC'), nonce, ...params }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    )
  })
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

const toPhc = (salt: Buffer, tag: Buffer) => `$argon2id$v=19$${settingsText}$${base64(salt)}$${base64(tag)}`

function fromPhc(text: string) {
  const [, kind, , settings, salt, tag] = text.split('$')
  if (kind !== 'argon2id' || settings !== settingsText || !salt || !tag) {
    throw new Error('a stored password hash has an unknown form')
  }
  return { salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
