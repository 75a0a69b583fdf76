import type { DockerContainer } from '@pulse/contract'
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { describe, expect, test } from 'vitest'
import { compileContainerSearch, deadContainerTerms } from './container-search.ts'

const host = aDockerHost({ hostname: 'dock1.example', displayName: 'Cellar' })
const found = (search: string, change: Partial<DockerContainer> = {}, on = host) =>
  compileContainerSearch(search)(
    aDockerContainer({
      id: 'abc123def456789',
      name: 'web-1',
      image: 'nginx:1.27',
      status: 'Up 2 hours (healthy)',
      labels: { 'com.docker.compose.project': 'shop', tier: 'front' },
      ...change,
    }),
    on,
  )

describe('[spec 1 §5] docker search', () => {
  test.each([
    ['web-1', 'name'],
    ['nginx', 'image'],
    ['def456', 'id'],
    ['running', 'state'],
    ['2', 'status'],
    ['hours', 'status'],
    ['compose.project', 'the key of a label'],
    ['shop', 'the value of a label'],
    ['tier=front', 'key and value of a label'],
    ['cellar', "the host's display name"],
    ['dock1', "the host's name"],
    ['online', "the host's status"],
  ])('a term without a prefix: %s is found in %s', (search) => expect(found(search)).toBe(true))

  test.each([
    ['host:cellar', true],
    ['host:dock1', true],
    ['host:web', false],
    ['name:web', true],
    ['name:nginx', false],
    ['image:nginx:1.27', true],
    ['image:web', false],
    ['state:run', true],
    ['state:hours', false],
    ['id:abc', true],
    ['id:web', false],
    ['label:shop', true],
    ['label:tier=front', true],
    ['label:nginx', false],
  ])('with a prefix it is looked up there alone: %s is %s', (search, expected) =>
    expect(found(search)).toBe(expected),
  )

  test.each([
    ['web nginx', true],
    ['web,nginx', true],
    [' web , nginx ', true],
    ['web apache', false],
    ['web,apache', false],
    ['host:cellar state:running', true],
    ['host:cellar, state:exited', false],
    ['label:tier label:shop', true],
    ['label:tier label:back', false],
  ])('terms between spaces or commas must all match: %s is %s', (search, expected) =>
    expect(found(search)).toBe(expected),
  )

  test.each(['WEB-1', 'Nginx', 'HOST:cELLAR', 'State:RUNNING'])('case makes no difference: %s', (search) =>
    expect(found(search)).toBe(true),
  )

  test('case of what is searched makes none either', () => {
    expect(found('web host:cellar', { name: 'WEB' })).toBe(true)
    expect(found('label:front', { labels: { TIER: 'FRONT' } })).toBe(true)
  })

  test.each(['', '  ', ',', ' , '])('%j matches everything', (search) => expect(found(search)).toBe(true))
})

describe('what the grammar leaves open', () => {
  test.each(['host:', 'name:', 'web label:'])('%s is still being typed and left out', (search) =>
    expect(found(search)).toBe(true),
  )

  test.each([
    ['nginx:1.27', true],
    [':1.27', true],
    ['nginx:1.28', false],
    ['status:up', false],
  ])('a prefix that is not known belongs to the term: %s is %s', (search, expected) =>
    expect(found(search)).toBe(expected),
  )

  test('a term lies within one text, not across two', () => {
    expect(found('web-1nginx')).toBe(false)
    expect(found('label:shoptier')).toBe(false)
    expect(found('a\0b', { name: 'a', image: 'b' })).toBe(true)
  })

  test('health counts as a state, and a name that is missing is the beginning of the id', () => {
    expect(found('state:unhealthy', { health: 'unhealthy' })).toBe(true)
    expect(found('unhealthy', { health: 'unhealthy', status: 'Up 2 hours' })).toBe(true)
    for (const search of ['state:unhealthy', 'unhealthy'])
      expect(found(search, { state: 'exited', health: 'unhealthy', status: 'Exited (1)' })).toBe(false)
    expect(found('name:abc123def456', { name: '' })).toBe(true)
    expect(found('name:abc123def4567', { name: '' })).toBe(false)
  })

  test('thousands of terms are looked up in one pass', () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `term${at}`).join(' ')
    expect(found(many)).toBe(false)
    expect(found(many, { labels: { all: many } })).toBe(true)
  })
})

describe('what looks for figures', () => {
  test.each([
    ['cpu>80', ['cpu>80']],
    ['web, Memory<=20', ['memory<=20']],
    ['cpu > 80', ['>']],
    ['restarts>=3 uptime<60', ['restarts>=3', 'uptime<60']],
  ])('%s: %o is reported, and finds nothing', (search, terms) => {
    expect(deadContainerTerms(search).map(({ term }) => term)).toEqual(terms)
    expect(found(search)).toBe(false)
  })

  test('[spec 1 §5] is a part of a text all the same, where a text has it', () => {
    expect(found('label:cpu>80', { labels: { rule: 'cpu>80' } })).toBe(true)
    expect(found('cpu>80', { labels: { rule: 'cpu>80' } })).toBe(true)
  })

  test.each(['', 'web', 'nginx:1.27', 'status:up', '<none>', 'a<b', 'label:x>y', 'cpu'])(
    '%j looks for words',
    (search) => expect(deadContainerTerms(search)).toEqual([]),
  )
})
