import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/any-text.ts'
import { accountKey } from './account-key.ts'

describe('[S5] all spellings of one account are one', () => {
  test.each([
    'admin',
    'ADMIN',
    'Admin',
    ' admin ',
    '\tadmin\n',
    'ad\u200bmin',
    '\ufeffadmin',
    'adm\u00adin',
    '\u202eadmin',
    'admin\u0000',
    'ａｄｍｉｎ',
    'ＡＤＭＩＮ',
    'admin\u3000',
    '\u00a0admin',
    'ⓐⓓⓜⓘⓝ',
  ])('"%s" is admin', (spelling) => expect(accountKey(spelling)).toBe('admin'))

  test.each([
    ['Ångström', 'A\u030angstro\u0308m'],
    ['ﬁn', 'FIN'],
    ['a  b', 'A\u00a0 b'],
    ['Ⅸ', 'ix'],
    ['K', '\u212a'],
  ])('%s and %s', (a, b) => expect(accountKey(a)).toBe(accountKey(b)))

  test.each([
    ['admin', 'admin1'],
    ['admin', 'ad min'],
    ['admin', 'аdmin'],
    ['a.b', 'ab'],
    ['straße', 'strase'],
  ])('%s and %s are two', (a, b) => expect(accountKey(a)).not.toBe(accountKey(b)))

  test('the key of a key is the key', () => {
    const name = anyText({ maxLength: 12 })
    fc.assert(
      fc.property(name, (text) => {
        expect(accountKey(accountKey(text))).toBe(accountKey(text))
      }),
    )
  })
})
