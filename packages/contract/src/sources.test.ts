import { describe, expect, test } from 'vitest'
import { Site } from './sources.ts'

const problem = (site: string) => Site.safeParse(site).error?.issues[0]?.message

describe('the name of a site', () => {
  test.each([['Berlin'], ['x'.repeat(100)], [`${'東'.repeat(33)}!`], ['é'.repeat(50)], ['😀'.repeat(25)]])(
    '%s is accepted',
    (site) => expect(problem(site)).toBeUndefined(),
  )

  test.each([['x'.repeat(101)], ['東'.repeat(34)], ['é'.repeat(51)], ['😀'.repeat(26)]])(
    '%s is more than 100 bytes, and refused with the limit in words',
    (site) =>
      expect(problem(site)).toBe(
        'A site has at most 100 bytes: 100 English letters, or 33 Chinese characters.',
      ),
  )

  test('is plain text, without the space around it', () => {
    expect(Site.parse('  Berlin ')).toBe('Berlin')
    expect(problem('a\nb')).toBe('The site must be plain text without control characters.')
  })
})
