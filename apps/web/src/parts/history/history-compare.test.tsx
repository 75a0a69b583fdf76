// @vitest-environment happy-dom
import { act, fireEvent, screen, within as inside } from '@testing-library/react'
import { expect, test } from 'vitest'
import { showHistory, steady } from './fake-history.tsx'
import { captions, charts, click, hour, nextId, pass, viewTest } from './view-steps.ts'

viewTest()

const others = Object.fromEntries(
  Array.from({ length: 9 }, (_, n) => [`c1:other${n}`, { name: `db${n}`, vmid: 200 + n, node: 'pve1' }]),
)
const boxes = () => screen.findAllByRole('checkbox')
const check = (name: RegExp) => act(async () => void fireEvent.click(screen.getByRole('checkbox', { name })))
const legend = () =>
  inside(screen.getByRole('list', { name: 'Compared guests' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('[M 3.1] chosen guests are lines of the same charts, from one call, until they are removed', async () => {
  const id = nextId()
  const { calls } = await showHistory({ id, others })
  await charts()
  await click('Compare with other guests')
  await boxes()
  await check(/db3/)
  expect(calls.at(-1)!.ids).toBe(`${id},c1:other3`)
  expect(calls).toHaveLength(2)
  await charts()
  expect(legend()).toEqual(['web', 'db3'])
  expect(captions()[0]).toMatch(/web: last .* db3: last /)
  await click('Remove db3')
  expect(screen.queryByRole('list', { name: 'Compared guests' })).toBeNull()
  expect(captions()[0]).not.toContain('other3')
})

test('[M 3.1] while another guest is loaded, the former lines stay in the last hour', async () => {
  let release = () => {}
  const { calls } = await showHistory({
    id: nextId(),
    others,
    async answer(call) {
      if (call.ids.includes(',')) await new Promise<void>((resolve) => (release = resolve))
      return steady(call)
    },
  })
  await charts()
  await pass(hour / 3)
  await click('Compare with other guests')
  await boxes()
  await check(/db3/)
  expect(calls.at(-1)!.ids).toContain('other3')
  const [cpu] = await charts()
  expect(Number(cpu!.getAttribute('aria-valuemax'))).toBeGreaterThan(50)
  await act(async () => release())
})

test('[M 3.1] a search finds guests, seven can be chosen, and there is no line of last week', async () => {
  await showHistory({ id: nextId(), others })
  await charts()
  await click('Compare with other guests')
  expect(await boxes()).toHaveLength(9)
  for (let n = 0; n < 7; n++) await check(new RegExp(`db${n}`))
  const isOpen = (name: RegExp) => !screen.getByRole<HTMLInputElement>('checkbox', { name }).disabled
  expect([isOpen(/db0/), isOpen(/db7/)]).toEqual([true, false])
  expect(screen.getByText('At most 7: remove one to add another.')).toBeDefined()
  expect(
    screen.getByRole<HTMLButtonElement>('button', { name: 'Show the same time last week', hidden: true })
      .disabled,
  ).toBe(true)
  const search = screen.getByRole('searchbox', { name: 'Guests' })
  await act(async () => void fireEvent.change(search, { target: { value: 'db8' } }))
  expect((await boxes()).length, 'the chosen ones and the match').toBe(8)
})
