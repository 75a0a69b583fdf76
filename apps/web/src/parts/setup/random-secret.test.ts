import { expect, test } from 'vitest'
import { generateApiToken, generatePassword } from './random-secret.ts'

test('[spec 2 §5] a password has 16 characters from letters, digits, underscore and hyphen', () => {
  const passwords = Array.from({ length: 200 }, () => generatePassword())
  for (const password of passwords) expect(password).toMatch(/^[A-Za-z0-9_-]{16}$/)
  expect(new Set(passwords).size).toBe(200)
})

test('[spec 2 §5] every character of a password is as likely as any other', () => {
  const counts = new Map<string, number>()
  for (let first = 0; first < 256; first += 16) {
    const password = generatePassword((bytes) => bytes.forEach((_, i) => (bytes[i] = first + i)))
    for (const character of password) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  expect(counts.size).toBe(64)
  expect(new Set(counts.values())).toEqual(new Set([4]))
})

test('[spec 2 §5] an API token is 24 random bytes in hex', () => {
  expect(generateApiToken()).toMatch(/^[0-9a-f]{48}$/)
  expect(generateApiToken((bytes) => bytes.fill(10))).toBe('0a'.repeat(24))
  expect(generateApiToken()).not.toBe(generateApiToken())
})
