// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Answer, renderSettings, settled } from '../fake-settings.tsx'
import { takeToasts } from './fake-diagnostics.ts'
import { ExportButton, exportFileName } from './run-panel.tsx'

const call = 'GET /api/diagnostics/export'
let files: { name: string; blob: Blob }[]

beforeEach(() => {
  takeToasts()
  files = []
  const blobs: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    files.push({ name: this.download, blob: blobs.at(-1)! })
  })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}

test.each([
  { mode: 'full', label: 'Download full JSON' },
  { mode: 'sanitized', label: 'Download sanitized JSON' },
] as const)('[spec 2 §9] the $mode file is downloaded as the server made it', async ({ mode, label }) => {
  const { calls } = await renderSettings(<ExportButton mode={mode} />, {
    replies: { [call]: { version: '2.1.0', mode } },
  })
  await click(label)
  expect(calls.map(({ call, search }) => call + search)).toEqual([`${call}?mode=${mode}`])
  expect(files.map(({ name }) => name)).toEqual([exportFileName(mode, Date.now())])
  expect(JSON.parse(await files[0]!.blob.text())).toEqual({ version: '2.1.0', mode })
})

test('[spec 2 §9] file names carry the kind and the day', () => {
  const now = Date.UTC(2026, 0, 2, 23, 59)
  expect(exportFileName('full', now)).toBe('pulse-diagnostics-full-2026-01-02.json')
  expect(exportFileName('sanitized', now)).toBe('pulse-diagnostics-sanitized-2026-01-02.json')
})

test('says Preparing... meanwhile', async () => {
  const answer = Promise.withResolvers()
  await renderSettings(<ExportButton mode="full" />, { replies: { [call]: answer.promise } })
  fireEvent.click(screen.getByRole('button'))
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Preparing...' })).disabled).toBe(true)
  answer.resolve({})
  await settled()
  expect(screen.getByRole('button', { name: 'Download full JSON' })).toBeDefined()
})

test.each([
  {
    answer: new Answer(403, { error: 'Administrator access is needed.' }),
    said: 'Administrator access is needed.',
  },
  { answer: new Answer(502, '<html>Bad gateway</html>'), said: 'Request failed with status 502' },
  { answer: new Answer(500), said: 'Failed to download diagnostics' },
])('a failure says $said and makes no file', async ({ answer, said }) => {
  await renderSettings(<ExportButton mode="full" />, { replies: { [call]: answer } })
  await click('Download full JSON')
  expect(takeToasts()).toEqual([said])
  expect(files).toEqual([])
})
