import { postUser, type Role } from '@pulse/contract'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { failureOf } from '../../../api/reason.ts'
import { roleChoices } from './roles.ts'
import { useUserChange } from '../use-access-change.ts'
import {
  entryProblem,
  newPasswordEntry,
  PasswordEntryFields,
  passwordOf,
  PasswordShown,
} from './user-password.tsx'

interface NewUserDialogProps {
  open: boolean
  onClose: () => void
}

interface Created {
  name: string
  password: string
}

export function NewUserDialog({ open, onClose }: NewUserDialogProps) {
  const [created, setCreated] = useState<Created>()
  const close = () => {
    setCreated(undefined)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      title={created ? 'User added' : 'Add user'}
      locked={created !== undefined}
    >
      {created ? (
        <PasswordShown {...created} onDone={close} />
      ) : (
        <NewUserForm onClose={close} onCreated={setCreated} />
      )}
    </Dialog>
  )
}

interface NewUserFormProps {
  onClose: () => void
  onCreated: (created: Created) => void
}

function NewUserForm({ onClose, onCreated }: NewUserFormProps) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [entry, setEntry] = useState(newPasswordEntry)
  const [tried, setTried] = useState(false)
  const add = useUserChange(
    (api, body: { name: string; password: string; role: Role }) => api.call(postUser, { body }),
    (user, { password }) => onCreated({ name: user.name, password }),
  )
  const problems = {
    name: name.trim() ? undefined : 'Name is required',
    password: entryProblem(entry),
  }

  const enter = (next: typeof entry) => {
    setEntry(next)
    if (next.mode === entry.mode) return
    setTried(false)
    add.reset()
  }
  const submit = () => {
    setTried(true)
    if (!problems.name && !problems.password) {
      add.mutate({ name: name.trim(), role, password: passwordOf(entry) })
    }
  }

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action="Add user"
      busyAction="Adding..."
      busy={add.isPending}
      failure={failureOf('Failed to add user', add.error)}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        error={tried ? problems.name : undefined}
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
      />
      <div className="flex flex-col items-start gap-2">
        <span aria-hidden className="text-table font-medium">
          Role
        </span>
        <SegmentedToggle label="Role" value={role} options={roleChoices} onChange={setRole} />
      </div>
      <PasswordEntryFields entry={entry} onChange={enter} error={tried ? problems.password : undefined} />
    </DialogForm>
  )
}
