// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import { createApi } from '../../api/client.ts'
import { createCredentials } from '../../api/credentials.ts'
import { createRequester } from '../../api/request.ts'
import { credentialsFileName } from './credentials-file.ts'
import { QuickSetup } from './quick-setup.tsx'

type Answer = Response | Error | Promise<Response>
const done = () => Response.json({ success: true, message: 'ok' })

interface Input {
  username: string
  password: string
  apiToken: string
  setupToken?: string
  force?: boolean
}

async function show(props: Partial<Parameters<typeof QuickSetup>[0]> = {}, answer: () => Answer = done) {
  const sent: Input[] = []
  const server = { answer }
  const credentials = createCredentials()
  const requester = createRequester({
    async fetch(url, { body }) {
      expect(url).toBe('/api/security/quick-setup')
      sent.push(JSON.parse(body as string) as Input)
      const reply = await server.answer()
      if (reply instanceof Response) return reply
      throw reply
    },
    cookies: () => '',
    wait: async () => {},
    warn: () => {},
    onUnauthorized: () => {},
    credentials,
  })
  const onDone = vi.fn()
  await act(async () =>
    render(
      <ApiProvider api={createApi(requester, credentials)}>
        <QuickSetup mode="initial" onDone={onDone} {...props} />
      </ApiProvider>,
    ),
  )
  return { sent, server, onDone }
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const fill = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
const submit = () => act(async () => void fireEvent.submit(field('Username').form!))
const chooseOwn = () => fireEvent.click(screen.getByRole('radio', { name: 'Choose my own' }))
const failure = () => screen.queryByRole('alert')?.textContent
const credentialsShown = () => screen.queryByRole('heading', { name: 'Save your credentials' })

beforeEach(() => history.replaceState(null, '', '/'))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

describe('[spec 2 §4] first setup', () => {
  test('sends the name, a generated password, a generated API token and the setup token', async () => {
    const { sent } = await show()
    expect(field('Username').value).toBe('admin')
    fill('Setup token', ' abc ')
    await submit()
    expect(sent).toEqual([
      {
        username: 'admin',
        password: expect.stringMatching(/^[A-Za-z0-9_-]{16}$/) as string,
        apiToken: expect.stringMatching(/^[0-9a-f]{48}$/) as string,
        setupToken: 'abc',
      },
    ])
  })

  test('explains where the setup token is', async () => {
    await show()
    const hint = document.getElementById(field('Setup token').getAttribute('aria-describedby')!)!
    expect(hint.textContent).toMatch(/prints it at startup.*\.bootstrap_token/)
  })

  test('reads the setup token from the address and removes it there', async () => {
    history.replaceState(null, '', '/docker?a=1#setup=0af3')
    await show()
    expect(field('Setup token').value).toBe('0af3')
    expect(window.location.href).toMatch(/\/docker\?a=1$/)
  })

  test('leaves any other fragment alone', async () => {
    history.replaceState(null, '', '/docker#set')
    await show()
    expect(field('Setup token').value).toBe('')
    expect(window.location.hash).toBe('#set')
  })
})

describe('[spec 2 §5] a password of your own', () => {
  test.each([
    { password: '1234567', confirmation: '1234567', text: 'Password must be at least 8 characters' },
    { password: '12345678', confirmation: '12345679', text: 'Passwords do not match' },
  ])('"$password" and "$confirmation": $text', async ({ password, confirmation, text }) => {
    const { sent } = await show()
    chooseOwn()
    fill('New password', password)
    fill('Confirm password', confirmation)
    expect(screen.queryByText(text)).toBeNull()
    await submit()
    expect(screen.getByText(text)).toBeDefined()
    expect(sent).toEqual([])
  })

  test('clears the error when another one is to be generated', async () => {
    await show()
    chooseOwn()
    await submit()
    const generate = () => fireEvent.click(screen.getByRole('radio', { name: 'Generate' }))
    generate()
    chooseOwn()
    expect(screen.queryByText('Password must be at least 8 characters')).toBeNull()
  })

  test('that is long enough and twice the same is sent', async () => {
    const { sent } = await show()
    chooseOwn()
    fill('New password', 'mein Wörtchen')
    fill('Confirm password', 'mein Wörtchen')
    await submit()
    expect(sent[0]!.password).toBe('mein Wörtchen')
  })
})

describe('[spec 2 §4] rotation', () => {
  test('replaces by force, without a setup token, for the user given', async () => {
    const { sent } = await show({ mode: 'rotate', username: 'root' })
    expect(screen.queryByLabelText('Setup token')).toBeNull()
    await submit()
    expect(sent[0]).toMatchObject({ username: 'root', force: true })
    expect(sent[0]).not.toHaveProperty('setupToken')
    expect(credentialsShown()).not.toBeNull()
  })

  test('can be cancelled where onCancel is set', async () => {
    const onCancel = vi.fn()
    await show({ mode: 'rotate', onCancel })
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onCancel).toHaveBeenCalledOnce()
    cleanup()
    await show({ mode: 'rotate' })
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })
})

describe('[spec 2 §8] a refusal', () => {
  test.each([
    {
      when: 'already configured',
      answer: () => Response.json({ success: true, skipped: true, message: 'x' }),
      text: 'Security is already configured. Please remove existing security first if you want to reconfigure.',
    },
    {
      when: 'the wrong setup token',
      answer: () => Response.json({ error: 'The setup token is wrong.' }, { status: 403 }),
      text: 'Failed to setup security: The setup token is wrong.',
    },
    {
      when: 'no answer',
      answer: () => new TypeError('Failed to fetch'),
      text: 'Failed to setup security: Pulse does not answer',
    },
  ])('$when: $text', async ({ answer, text }) => {
    await show({}, answer)
    await submit()
    expect(failure()).toBe(text)
    expect(credentialsShown()).toBeNull()
  })

  test('keeps the generated values, because only the answer may have been lost', async () => {
    const { sent, server } = await show({}, () => new TypeError('Failed to fetch'))
    await submit()
    server.answer = done
    await submit()
    expect(sent[1]).toEqual(sent[0])
    expect(credentialsShown()).not.toBeNull()
  })

  test('is sent once while busy', async () => {
    const { sent } = await show({}, () => new Promise(() => {}))
    await submit()
    await submit()
    expect(sent).toHaveLength(1)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Setting up...' }).disabled).toBe(true)
  })
})

describe('[spec 2 §4] the credentials', () => {
  const created = async () => {
    const all = await show()
    await submit()
    return all
  }

  test('are shown once, then Done', async () => {
    const { sent, onDone } = await created()
    expect(field('Username').value).toBe('admin')
    expect(field('Password').value).toBe(sent[0]!.password)
    expect(field('API token').value).toBe(sent[0]!.apiToken)
    expect(document.activeElement).toBe(credentialsShown())
    fireEvent.click(screen.getByRole('button', { name: 'Done' }))
    expect(onDone).toHaveBeenCalledOnce()
  })

  test('can be copied one by one; the confirmation stays for 2 s', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const { sent } = await created()
    vi.useFakeTimers()
    const [name, password, token] = screen.getAllByRole('button', { name: 'Copy' })
    for (const button of [name!, password!, token!]) await act(async () => fireEvent.click(button))
    expect(write.mock.calls).toEqual([['admin'], [sent[0]!.password], [sent[0]!.apiToken]])
    expect(screen.getAllByText('Copied!')).toHaveLength(3)
    act(() => vi.advanceTimersByTime(2_000))
    expect(screen.queryByText('Copied!')).toBeNull()
  })

  test('can be downloaded as a text file', async () => {
    const files: { name: string; blob: Blob }[] = []
    const { sent } = await created()
    const blobs: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ name: this.download, blob: blobs.at(-1)! })
    })
    fireEvent.click(screen.getByRole('button', { name: 'Download as text file' }))
    expect(files[0]!.name).toMatch(/^pulse-credentials-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.txt$/)
    const text = await files[0]!.blob.text()
    for (const part of ['admin', sent[0]!.password, sent[0]!.apiToken]) expect(text).toContain(part)
  })

  test('the file name contains the time', () => {
    expect(credentialsFileName(new Date('2026-11-21T15:30:00.700Z'))).toBe(
      'pulse-credentials-2026-11-21T15-30-00.txt',
    )
  })
})
