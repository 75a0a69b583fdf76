import { describe, expect, test } from 'vitest'
import { createAdmission } from './frame-admission.ts'

function given(takesOthers: boolean, mostSources = 3) {
  const refused: string[] = []
  const ledElsewhere = new Set<string>()
  const admission = createAdmission({
    connectionOf: (source) => (source.startsWith('new') ? undefined : { site: 'main' }),
    takesOthers,
    ledElsewhere,
    onRefused: (_, why) => void refused.push(why),
    mostSources,
  })
  return { ...admission, refused, ledElsewhere }
}

describe('[N 4] a process that takes nothing of others', () => {
  test('knows that they said something of their sources, and how much they have', () => {
    const { admits, said } = given(false)
    expect(admits({ site: 'main', source: 'a' }, 7)).toBe(false)
    expect(admits({ site: 'main', source: 'a' }, undefined)).toBe(false)
    expect([...said]).toEqual([['a', 7]])
  })

  test('believes no site about a source of another one, and not the process that leads about a connection', () => {
    const { admits, said, refused } = given(false)
    admits({ site: 'berlin', source: 'a' }, 1_000_000)
    admits({ site: undefined, source: 'b' }, 1_000_000)
    expect(said.size).toBe(0)
    expect(refused).toEqual([
      'the source belongs to another site',
      'the process that leads does not collect this source',
    ])
  })

  test('knows no unknown source, and of the others the newest', () => {
    const { admits, said } = given(false)
    for (let n = 0; n < 10_000; n++) {
      admits({ site: 'main', source: `new ${n}` }, 1)
      admits({ site: undefined, source: `new ${n}` }, 1)
    }
    for (const source of ['a', 'b', 'a', 'c', 'd']) admits({ site: 'main', source }, 1)
    expect([...said.keys()]).toEqual(['a', 'c', 'd'])
  })
})

describe('[N 4] a process that takes what others collect', () => {
  test('takes a source from its own site only', () => {
    const { admits, refused } = given(true)
    expect(admits({ site: 'main', source: 'a' }, 1)).toBe(true)
    expect(admits({ site: 'berlin', source: 'a' }, 1)).toBe(false)
    expect(refused).toEqual(['the source belongs to another site'])
  })

  test('remembers so many unknown sources, to ask for them when they are known', () => {
    const { admits, unmiss } = given(true)
    for (const n of [1, 2, 3, 4]) expect(admits({ site: 'berlin', source: `new ${n}` }, 1)).toBe(false)
    expect([3, 3, 4].map((n) => unmiss(`new ${n}`))).toEqual([true, false, false])
  })

  test('takes so many sources from the process that leads', () => {
    const { admits, ledElsewhere, refused } = given(true)
    for (const n of [1, 2, 3]) ledElsewhere.add(`new ${n}`)
    expect(admits({ site: undefined, source: 'new 3' }, 1)).toBe(true)
    expect(admits({ site: undefined, source: 'new 4' }, 1)).toBe(false)
    expect(refused).toEqual(['the process that leads has no more sources than there are'])
  })
})
