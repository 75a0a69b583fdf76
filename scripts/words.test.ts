import { describe, expect, test } from 'vitest'
import { offencesIn } from './words.mjs'

const wordsIn = (text: string, file = 'apps/server/src/auth/login.ts') =>
  offencesIn(file, text).map(({ words }) => words)

describe('words that the glossary replaces', () => {
  test.each([
    ['a name', 'const isTold = true', ['told']],
    ['a constant', 'const TOLD_AT = 1', ['told']],
    ['a table', 'SELECT * FROM told_alerts', ['told']],
    ['a comment', '// Nobody waits', ['nobody']],
    ['a text', "log.warn('tried anew')", ['anew']],
    ['two words as one name', 'giveBack()', ['give back']],
    ['two words on two lines of a comment', '/**\n * The only way\n * out.\n */', ['way out']],
    ['two words on two lines of line comments', '// in\n// turns', ['in turns']],
    ['a part of a name', 'type ActiveWay = 1', ['active way']],
  ])('are found in %s', (_where, text, expected) => {
    expect(wordsIn(text)).toEqual(expected)
  })

  test.each([
    ['a text with a hyphen that is no name', "resolved: 'All-clear'"],
    ['a longer word', "const stolen = 'insight, heartbeat, foretold'"],
    ['the honest meaning', '// Under way: kept for a day, away from home, given by the caller'],
    ['what only a name may not say', '// the host was away, held by a lock'],
  ])('%s is accepted', (_what, text) => {
    expect(wordsIn(text)).toEqual([])
  })

  test('a document is prose alone', () => {
    expect(wordsIn('`isAway` was told', 'docs/alerts.md')).toEqual(['told'])
  })

  test.each([
    ['apps/agent/src/given.ts', ['given']],
    ['apps/server/src/auth/given-users.ts', ['given']],
    ['apps/server/src/notify/ways.test.ts', ['ways']],
    ['apps/server/src/alerts/giver.ts', []],
    ['apps/server/src/http/forgiven.ts', []],
  ])('the name of a file is read too: %s', (file, expected) => {
    expect(wordsIn('', file)).toEqual(expected)
  })

  test('each has its line, and the word to say instead', () => {
    expect(offencesIn('a.ts', 'const a = 1\n// anew\n')).toEqual([{ line: 2, words: 'anew', say: 'again' }])
  })
})
