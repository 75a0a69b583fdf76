import { type NodeConfig, type NodeInput, postNode, putNode, type SourceKind } from '@pulse/contract'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useChange } from '../../../api/use-change.ts'
import { useLiveEvent } from '../../../live/use-live.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { useDialogBusy } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { problemsOf, wordsOf } from '../../../api/reason.ts'
import { toast } from '../../../ui/toast.ts'
import { AddressField, ChosenAddress, NameField, SiteField } from './address-fields.tsx'
import { AuthFields, CertificateFields, Fieldset } from './auth-fields.tsx'
import { EditorActions } from './editor-actions.tsx'
import { kindTexts } from './kinds.ts'
import {
  formOfNode,
  formOfServer,
  hasNewSecret,
  isChanged,
  newForm,
  type NodeDialogSubject,
  type NodeFlags,
  type NodeForm,
  nodeProblems,
  normalAddress,
  toInput,
} from './node-form.ts'
import { SetupCommand } from './setup-command.tsx'
import { SetupHelp, type SetupMode, SetupModeToggle } from './setup-help.tsx'
import { TestResult } from './test-result.tsx'
import { useNodeTest } from './use-node-test.ts'
import { useHasSites } from './use-has-sites.ts'
import { useNodeCache } from './use-nodes.ts'

interface NodeEditorProps {
  kind: SourceKind
  subject: NodeDialogSubject
  onClose: () => void
}

/** Fields that do not affect a connection test. */
const untested: readonly (keyof NodeForm)[] = ['name', 'site', 'flags']

/** A new node has two steps: address, then access. A stored one is edited as a whole. */
export function NodeEditor({ kind, subject, onClose }: NodeEditorProps) {
  const [stored] = useState(subject.node)
  const [form, setForm] = useState(() => firstForm(kind, subject))
  const hasSites = useHasSites() || stored?.site !== undefined
  const [mode, setMode] = useState<SetupMode>(stored || kind === 'pmg' ? 'manual' : 'auto')
  const [attempts, setAttempts] = useState(0)
  /** the server's own name */
  const [proposed, setProposed] = useState<string>()
  const element = useRef<HTMLFormElement>(null)
  const results = useRef<HTMLDivElement>(null)
  const save = useSaveNode(kind, stored, onClose)
  const saveForm = () => save.mutate(toInput(kind, form))
  const [step, go] = useSteps(stored || subject.server ? 'access' : 'address', element)
  const test = useNodeTest(({ ok, name }, target) => {
    if (ok && 'input' in target && target.thenSave) saveForm()
    if (!name) return
    setProposed(name)
    setForm((now) => (now.name.trim() ? now : { ...now, name }))
  })
  useDialogBusy(save.isPending)
  const refused = problemsOf(save.error ?? test.error)
  const problems = { ...(attempts > 0 && nodeProblems(form, stored)), ...refused }

  useLiveEvent('node_auto_registered', ({ data: { type, host } }) => {
    if (!stored && type === kind && isSameAddress(host, form.host, kind)) onClose()
  })

  const isAddressRefused = refused['host'] !== undefined && !stored
  useEffect(() => {
    if (isAddressRefused) go('address')
  }, [isAddressRefused, go])

  const refusedFields = Object.keys(refused).join()
  // scrolls to the invalid field and focuses it
  useEffect(() => {
    if (attempts > 0 || refusedFields)
      element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [attempts, refusedFields])

  // scrolls to the result too
  useEffect(() => {
    if (!test.isRunning && !save.isPending) results.current?.scrollIntoView({ block: 'nearest' })
  }, [test.isRunning, save.isPending])

  /** Clears results that belong to other credentials. */
  const startOver = () => {
    setAttempts(0)
    test.reset()
    save.reset()
  }

  const changeAddress = () => {
    startOver()
    go('address')
  }

  const edit = (change: Partial<NodeForm>) => {
    const isOfAnother = change.host !== undefined && form.name === proposed && !stored
    setForm({ ...form, ...(isOfAnother && { name: '' }), ...change })
    if (change.authType) return startOver()
    if ((Object.keys(change) as (keyof NodeForm)[]).some((key) => !untested.includes(key))) {
      test.reset()
      save.reset()
    }
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
    else setAttempts((count) => count + 1)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step === 'address' && !nodeProblems(form).host) {
      setAttempts(0)
      return go('access')
    }
    setAttempts((count) => count + 1)
    if (step !== 'access' || mode !== 'manual' || !isComplete(nodeProblems(form, stored))) return
    if (stored || test.outcome?.ok) saveForm()
    else test.run({ input: toInput(kind, form), thenSave: true })
  }

  const { outcome } = test
  const canTrust =
    outcome &&
    form.fingerprint !== outcome.fingerprint &&
    (outcome.untrusted || (outcome.ok && !form.verifySSL && !form.fingerprint))
  const address = <AddressField kind={kind} form={form} problem={problems.host} onChange={edit} />

  return (
    <form
      ref={element}
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-5 *:scroll-mb-32 [&_input]:scroll-mb-32"
    >
      {step === 'address' && address}
      {step === 'access' && !stored && <ChosenAddress host={form.host} onEdit={changeAddress} />}
      {step === 'access' && !stored && kind !== 'pmg' && (
        <div>
          <SetupModeToggle
            mode={mode}
            onChange={(chosen) => {
              setMode(chosen)
              startOver()
            }}
          />
        </div>
      )}
      {step === 'access' && mode === 'auto' && kind !== 'pmg' && (
        <SetupCommand kind={kind} host={form.host} />
      )}
      {step === 'access' && mode === 'manual' && (
        <>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            {stored && address}
            <NameField form={form} onChange={edit} />
            {hasSites && <SiteField form={form} problem={refused['site']} onChange={edit} />}
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
        </>
      )}
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
      <EditorActions
        shown={step === 'address' ? 'address' : mode === 'auto' ? 'script' : stored ? 'change' : 'new'}
        isTesting={test.isRunning}
        isSaving={save.isPending}
        onSaveAnyway={!stored && step === 'access' && outcome?.ok === false ? saveForm : undefined}
        onTest={() => runTest(form)}
        onClose={onClose}
      />
    </form>
  )
}

function firstForm(kind: SourceKind, { node, server }: NodeDialogSubject): NodeForm {
  if (node) return formOfNode(node)
  return server ? formOfServer(server) : newForm(kind)
}

const isComplete = (problems: object) => Object.keys(problems).length === 0

function isSameAddress(a: string, b: string, kind: SourceKind): boolean {
  const [one, other] = [normalAddress(a, kind), normalAddress(b, kind)]
  return one !== undefined && one === other
}

function testNote(form: NodeForm, stored: NodeConfig | undefined, target: object | undefined) {
  if (!stored || !target || !('id' in target) || !isChanged(form, stored)) return undefined
  return 'The saved settings were tested. Enter the password or token value again to test your changes.'
}

interface MonitorFieldsProps {
  kind: SourceKind
  flags: NodeFlags
  onChange: (flags: NodeFlags) => void
}

function MonitorFields({ kind, flags, onChange }: MonitorFieldsProps) {
  return (
    <Fieldset title="Monitor">
      <ul className="grid gap-2.5 sm:grid-cols-2">
        {kindTexts[kind].flags.map(({ flag, label, hint }) => (
          <li key={flag}>
            <Checkbox
              label={label}
              {...(hint && { hint })}
              checked={flags[flag] ?? false}
              onChange={(on) => onChange({ ...flags, [flag]: on })}
            />
          </li>
        ))}
      </ul>
    </Fieldset>
  )
}

const savedMs = 3_500

/** Adds or updates a node. The saved node is pending until the server answers. */
function useSaveNode(kind: SourceKind, stored: NodeConfig | undefined, onSaved: () => void) {
  const api = useApi()
  const { change, reload } = useNodeCache()
  return useChange({
    mutationFn: (input: NodeInput) =>
      stored
        ? api.call(putNode, { params: { id: stored.id }, body: input })
        : api.call(postNode, { body: { ...input, type: kind } }),
    onSuccess: ({ id }) => {
      toast.success(stored ? 'Node updated successfully' : 'Node added successfully', savedMs)
      change((nodes) => nodes.map((node) => (node.id === id ? { ...node, status: 'pending' } : node)))
      reload()
      onSaved()
    },
  })
}

type Step = 'address' | 'access'

/** A change of step focuses its first control. */
function useSteps(first: Step, within: RefObject<HTMLElement | null>) {
  const [step, go] = useState(first)
  const seen = useRef(step)
  useEffect(() => {
    if (seen.current === step) return
    seen.current = step
    const control = step === 'address' ? 'input' : '[role=radio][aria-checked=true], input'
    within.current?.querySelector<HTMLElement>(control)?.focus()
  }, [step, within])
  return [step, go] as const
}
