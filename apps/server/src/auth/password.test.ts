import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { quickDerive } from '../testing/quick-hashing.ts'
import { createPasswords, isBcrypt } from './password.ts'

const passwords = createPasswords()

describe('[facts/platform 2.2] a stored password', () => {
  test('is argon2id in the PHC form, with a salt of its own', async () => {
    const [a, b] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')])
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(a).not.toBe(b)
    expect(a).not.toContain('correct')
  })

  test.each([
    { kept: 'correct horse', shown: 'correct horse', holds: true },
    { kept: 'correct horse', shown: 'Correct horse', holds: false },
    { kept: 'correct horse', shown: 'correct horse ', holds: false },
    { kept: 'correct horse', shown: '', holds: false },
    { kept: 'Blåbær\u00e9', shown: 'Bl\u0061\u030ab\u00e6re\u0301', holds: true },
    { kept: 'ﬁnal', shown: 'final', holds: false },
    { kept: 'zero\u0000one', shown: 'zero\u0000two', holds: false },
    { kept: `${'a'.repeat(1023)}b`, shown: `${'a'.repeat(1023)}b`, holds: true },
    { kept: `${'a'.repeat(1023)}b`, shown: `${'a'.repeat(1023)}c`, holds: false },
    { kept: `${'a'.repeat(72)}b`, shown: `${'a'.repeat(72)}c`, holds: false },
    { kept: '🔑'.repeat(256), shown: '🔑'.repeat(256), holds: true },
  ])('$kept, shown $shown: $holds', async ({ kept, shown, holds }) => {
    expect(await passwords.verify(shown, await passwords.hash(kept))).toBe(holds)
  })

  test('a bcrypt hash of the older product holds', async () => {
    const stored = bcrypt.hashSync('correct horse', 4)
    for (const prefix of ['$2a$', '$2b$', '$2y$']) {
      const hash = stored.replace(/^\$2.\$/, prefix)
      expect(isBcrypt(hash)).toBe(true)
      expect(await passwords.verify('correct horse', hash)).toBe(true)
      expect(await passwords.verify('wrong horse', hash)).toBe(false)
    }
  })

  test.each(['', '$2b$10$short', 'hunter2', `$2x$10$${'a'.repeat(53)}`, ` $2b$10$${'a'.repeat(53)}`])(
    '"%s" is no bcrypt hash',
    (text) => expect(isBcrypt(text)).toBe(false),
  )

  test.each([null, undefined, ''])('without one (%s) no password holds', async (stored) => {
    for (const shown of ['', 'correct horse']) expect(await passwords.verify(shown, stored)).toBe(false)
  })

  test.each(['plain', '$argon2i$v=19$m=19456,t=2,p=1$AAAA$AAAA', '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA'])(
    '[facts/platform 16.18] what is no hash of ours (%s) is an error, not a match',
    async (stored) => await expect(passwords.verify(stored, stored)).rejects.toThrow(/unknown form/),
  )
})

test('[R18] a flood is refused beyond 2 at work and 64 waiting, and leaves nothing behind', async () => {
  const passwords = createPasswords(quickDerive) // the cost does not change the result
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.verify('x', null)))
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(100 - 66)
  expect(refused[0]!.reason).toMatchObject({ code: 'rate_limit', headers: { 'retry-after': '5' } })
  expect(await passwords.verify('x', null)).toBe(false)
})
