import { getTokens, type TokenChoice, type User } from '@pulse/contract'
import { useAnswer } from '../../../api/use-answer.ts'
import { tokenHint, tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { reasonOf } from '../../../api/reason.ts'

interface UserTokensProps {
  user: User
  choice: TokenChoice
  onChoose: (choice: TokenChoice) => void
}

/** API tokens of a user who loses admin rights: revoked, unless the current administrator takes them over. */
export function UserTokens({ user, choice, onChoose }: UserTokensProps) {
  const tokens = useAnswer(getTokens)
  if (tokens.isPending) return <p role="status">Looking for API tokens of {user.name}…</p>
  if (tokens.error) {
    return (
      <Notice tone="orange" title="The API tokens of this user could not be listed; they will be revoked.">
        {reasonOf(tokens.error)}
      </Notice>
    )
  }
  const own = tokens.data.tokens.filter(({ madeBy }) => madeBy?.id === `user:${user.id}`)
  const unknown = tokens.data.tokens.filter(({ madeBy, source }) => !madeBy && source === 'user').length
  return (
    <>
      {own.length > 0 && (
        <div className="flex flex-col gap-2">
          <p>
            {choice === 'end'
              ? 'These API tokens of the user will be revoked:'
              : 'You take over these API tokens:'}
          </p>
          <ul aria-label={`API tokens of ${user.name}`} className="list-disc pl-5">
            {own.map((token) => (
              <li key={token.id}>
                <span className="font-medium break-all text-ink">{tokenName(token)}</span>{' '}
                <code className="font-mono text-xs">{tokenHint(token)}</code>
              </li>
            ))}
          </ul>
          <Checkbox
            label="Keep them as mine"
            hint="They keep working until you are no longer an administrator."
            checked={choice === 'keep'}
            onChange={(keep) => onChoose(keep ? 'keep' : 'end')}
          />
        </div>
      )}
      {unknown > 0 && (
        <p className="text-xs">
          {unknown === 1 ? 'The maker of one API token is' : `The makers of ${unknown} API tokens are`}{' '}
          unknown: check the list of tokens.
        </p>
      )}
    </>
  )
}
