// @vitest-environment happy-dom
import { aPbsBackup, aStorageBackup, backedUpEstate } from '@pulse/testkit'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { formatMoment } from '../../lib/format.ts'
import { ago, atOneMoment, cells, given, HOUR, NOW, row } from './fake-page.tsx'

const estate = backedUpEstate(NOW)
const inHours = 72
const ctime = (NOW + inHours * HOUR) / 1000
const ahead = {
  file: aStorageBackup({ vmid: 105, type: 'lxc', ctime, future: true }),
  snapshot: aPbsBackup({ backupTime: ago(-inHours), future: true }),
}
const word = 'Dated in the future'

atOneMoment()

describe.each([
  ['in a row', false],
  ['in a card of a phone, where a sign leaves room for the name', true],
])('%s', (_, phone) => {
  async function show() {
    vi.stubGlobal('matchMedia', () => ({ matches: phone, addEventListener() {}, removeEventListener() {} }))
    const { pveBackups, pbsBackups } = estate
    await given({
      ...estate,
      pveBackups: { ...pveBackups, 'file-ahead': ahead.file },
      pbsBackups: { ...pbsBackups, 'snapshot-ahead': ahead.snapshot },
    })
  }

  const markOf = (id: string) =>
    phone ? within(row(id)).queryByRole('img', { name: word }) : within(row(id)).queryByText(word)

  test.each(['file-ahead', 'snapshot-ahead'])(
    '%s bears the word beside its name, and says why',
    async (id) => {
      await show()
      const badge = markOf(id)!
      expect(badge.closest('[role=gridcell]')!.textContent).toContain(id === 'file-ahead' ? 'db' : 'web')
      expect(badge.closest<HTMLElement>('[data-tip]')!.dataset).toMatchObject({
        tip: 'Its date is in the future because a clock was wrong, so its age is unknown.',
        tipWidth: '260',
      })
      for (const other of ['snap', 'file', 'deep', 'root']) expect(markOf(other)).toBeNull()
    },
  )

  test('its date has no age and no colour of one', async () => {
    await show()
    const time = () => row('file-ahead').querySelector('time')!
    expect(time().textContent).toBe(formatMoment(NOW + inHours * HOUR))
    expect(time().dataset['tip']).toBeUndefined()
    expect(time().closest('.text-green')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Relative times' }))
    expect(time().textContent).toBe(formatMoment(NOW + inHours * HOUR))
    expect(cells('snap').join(' ')).toContain('1 hour ago')
  })
})
