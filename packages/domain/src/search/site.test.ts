import { aGuest } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { guestFields } from './guest-fields.ts'
import { deadTerms } from './dead-terms.ts'
import { compileSearch } from './search.ts'
import { isOfSites, siteTerms, withSite } from './site.ts'

describe('the field site', () => {
  const sites: Record<string, string> = { a: 'Berlin', b: 'New York', c: 'main' }
  const fields = withSite(guestFields, (source) => sites[source]!)
  const guests = ['a', 'b', 'c'].map((source) => aGuest({ source, name: `web-${source}` }))
  const found = (search: string) => {
    const matches = compileSearch(search, fields)
    return guests.filter((guest) => matches(guest, { nowMs: 0, running: true })).map(({ source }) => source)
  }

  test.each([
    ['site:berlin', ['a']],
    ['site:BER', ['a']],
    ['site:new york', ['b']],
    ['site:main', ['c']],
    ['site:rome', []],
    ['site:', ['a', 'b', 'c']],
    ['site:berlin, name:web-b', []],
    ['site:berlin OR name:web-b', ['a', 'b']],
  ])('%j finds %j', (search, expected) => expect(found(search)).toEqual(expected))

  test('is known only where it is added', () => {
    expect(deadTerms('site:berlin', fields)).toEqual([])
    expect(deadTerms('site:berlin', guestFields)).toMatchObject([{ field: 'site', why: 'no-field' }])
  })
})

describe('terms that name a site in a text', () => {
  test.each([
    ['disk full', [], 'disk full'],
    ['  disk  ', [], '  disk  '],
    ['site:Berlin', ['berlin'], ''],
    ['disk site:berlin full', ['berlin'], 'disk full'],
    ['site:ber, site:lin', ['ber', 'lin'], ''],
    ['site: disk', [], 'disk'],
    ['website:berlin', [], 'website:berlin'],
  ])('%j: %j and %j', (search, sites, rest) => expect(siteTerms(search)).toEqual({ sites, rest }))

  test('a site contains all of them, and no site is the main one', () => {
    expect(['Berlin', 'Bern', undefined].map((site) => isOfSites(site, siteTerms('site:ber')))).toEqual([
      true,
      true,
      false,
    ])
    expect(isOfSites('Bern', siteTerms('site:ber site:lin'))).toBe(false)
    expect(isOfSites(undefined, siteTerms('site:main'))).toBe(true)
    expect(isOfSites(undefined, siteTerms('disk'))).toBe(true)
  })
})
