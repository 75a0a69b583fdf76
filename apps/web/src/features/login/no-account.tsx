import { CopyField } from '../../ui/copy-field.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Only programs get in so far: what somebody who may administer the machine does about it. */
export function NoAccount() {
  return (
    <>
      <Notice title="There is no account to sign in with yet">
        This installation is reached with API tokens only.
      </Notice>
      <p className="text-table text-ink-2">Make the first account in one of these two ways:</p>
      <ol className="flex list-decimal flex-col gap-3 pl-5 text-table text-ink-2">
        <li>
          Set <Code>PULSE_AUTH_USER</Code> and <Code>PULSE_AUTH_PASS</Code> in the environment that Pulse is
          started with, and restart it.
        </li>
        <li className="min-w-0">
          <p className="mb-2">
            Or stop Pulse, and on its machine, in its folder, run this. It makes the account and prints its
            password:
          </p>
          <CopyField label="Command" hideLabel value="npm start -- reset-password --create admin" />
        </li>
      </ol>
      <p className="text-table text-ink-2">Then load this page again. The tokens stay as they are.</p>
    </>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs break-all text-ink">{children}</code>
}
