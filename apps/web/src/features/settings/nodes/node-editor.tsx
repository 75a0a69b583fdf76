import type { NodeConfig, SourceKind } from '@pulse/contract'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLiveEvent } from '../../../live/use-live.ts'
import { Button } from '../../../ui/button.tsx'
import { DialogCancel, useDialogBusy } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { wordsOf } from '../../../api/reason.ts'
import { AuthFields } from './auth-fields.tsx'
import { CertificateFields } from './certificate-fields.tsx'
import { kindTexts } from './kinds.ts'
import { MonitorFields } from './monitor-fields.tsx'
import type { NodeDialogSubject } from './node-dialog.tsx'
import {
  formOfNode,
  formOfServer,
  hasNewSecret,
  isChanged,
  newForm,
  type NodeForm,
  nodeProblems,
  normalAddress,
  toInput,
} from './node-form.ts'
import { SetupHelp } from './setup-help.tsx'
import { isAboutCertificate } from './test-outcome.ts'
import { TestResult } from './test-result.tsx'
import { useNodeTest } from './use-node-test.ts'
import { useSaveNode } from './use-save-node.ts'

interface NodeEditorProps {
  kind: SourceKind
  subject: NodeDialogSubject
  onClose: () => void
}

/** What only names or chooses does not change the result of a test. */
const untested: readonly (keyof NodeForm)[] = ['name', 'flags']

export function NodeEditor({ kind, subject, onClose }: NodeEditorProps) {
  const [stored] = useState(subject.node)
  const [form, setForm] = useState(() => firstForm(kind, subject))
  const [attempts, setAttempts] = useState(0)
  const element = useRef<HTMLFormElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const test = useNodeTest()
  const save = useSaveNode(kind, stored, onClose)
  useDialogBusy(save.isPending)
  const problems = attempts > 0 ? nodeProblems(form, stored) : {}

  useLiveEvent('node_auto_registered', ({ data: { type, host } }) => {
    if (!stored && type === kind && isSameAddress(host, form.host, kind)) onClose()
  })

  // the field may be out of sight
  useEffect(() => {
    if (attempts > 0) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts])

  // what an answer says too
  useEffect(() => {
    if (!test.isRunning && !save.isPending) results.current?.scrollIntoView({ block: 'nearest' })
  }, [test.isRunning, save.isPending])

  const edit = (change: Partial<NodeForm>) => {
    setForm({ ...form, ...change })
    if ((Object.keys(change) as (keyof NodeForm)[]).some((key) => !untested.includes(key))) test.reset()
  }

  const runTest = (tested: NodeForm) => {
    if (stored && !hasNewSecret(tested)) return test.run({ id: stored.id })
    setAttempts((count) => count + 1)
    if (isComplete(nodeProblems(tested))) test.run({ input: toInput(kind, tested) })
  }

  const trust = (fingerprint: string) => {
    const trusting = { ...form, fingerprint, verifySSL: true }
    setForm(trusting)
    test.reset()
    if (!stored || hasNewSecret(trusting)) runTest(trusting)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAttempts((count) => count + 1)
    if (isComplete(nodeProblems(form, stored))) save.mutate(toInput(kind, form))
  }

  const { outcome } = test
  const canTrust =
    outcome &&
    form.fingerprint !== outcome.fingerprint &&
    (isAboutCertificate(outcome) || (outcome.ok && !form.verifySSL && !form.fingerprint))

  return (
    <form
      ref={element}
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-5 *:scroll-mb-20 [&_input]:scroll-mb-20"
    >
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Host URL"
          value={form.host}
          onChange={(host) => edit({ host })}
          error={problems.host}
          placeholder={kindTexts[kind].hostExample}
          hint={`Port ${portOf(kind)} unless you write another one.`}
          maxLength={512}
          autoComplete="off"
          spellCheck={false}
          inputMode="url"
        />
        <TextField
          label="Name"
          value={form.name}
          onChange={(name) => edit({ name })}
          hint="Optional: without one the host name is used."
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <AuthFields
        kind={kind}
        form={form}
        problems={problems}
        stored={stored}
        onChange={edit}
        help={<SetupHelp kind={kind} form={form} editing={stored !== undefined} />}
      />
      <CertificateFields form={form} onChange={edit} />
      <MonitorFields kind={kind} flags={form.flags} onChange={(flags) => edit({ flags })} />
      <div ref={results} className="flex flex-col gap-3 empty:hidden">
        {outcome && (
          <TestResult
            outcome={outcome}
            onTrust={canTrust ? trust : undefined}
            note={testNote(form, stored, test.target)}
          />
        )}
        {save.error && <Notice tone="red" title={wordsOf(save.error, 'Operation failed')} announce />}
      </div>
      <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-raised px-4 py-3">
        <Button disabled={test.isRunning} onClick={() => runTest(form)} className="mr-auto">
          {test.isRunning ? 'Testing...' : 'Test connection'}
        </Button>
        <DialogCancel onClick={onClose} />
        <Button type="submit" variant="primary" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : stored ? 'Update node' : 'Add node'}
        </Button>
      </div>
    </form>
  )
}

function firstForm(kind: SourceKind, { node, server }: NodeDialogSubject): NodeForm {
  if (node) return formOfNode(node)
  return server ? formOfServer(server) : newForm(kind)
}

const isComplete = (problems: object) => Object.keys(problems).length === 0

const portOf = (kind: SourceKind) => new URL(kindTexts[kind].hostExample).port

function isSameAddress(a: string, b: string, kind: SourceKind): boolean {
  const [one, other] = [normalAddress(a, kind), normalAddress(b, kind)]
  return one !== undefined && one === other
}

function testNote(form: NodeForm, stored: NodeConfig | undefined, target: object | undefined) {
  if (!stored || !target || !('id' in target) || !isChanged(form, stored)) return undefined
  return 'The saved settings were tested. Enter the password or token value again to test your changes.'
}
