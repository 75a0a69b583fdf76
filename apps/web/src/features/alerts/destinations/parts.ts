import {
  type AppriseConfig,
  type EmailConfig,
  getAppriseConfig,
  getEmailConfig,
  getOutboundConfig,
  type OutboundConfig,
  putAppriseConfig,
  putEmailConfig,
  putOutboundConfig,
} from '@pulse/contract'
import {
  type AppriseForm,
  appriseProblems,
  toForm as toAppriseForm,
  toInput as toAppriseInput,
} from './apprise-form.ts'
import {
  type EmailForm,
  emailProblems,
  toForm as toEmailForm,
  toInput as toEmailInput,
} from './email-form.ts'
import { linesOf, type Part } from './part.ts'

const abortable = (signal: AbortSignal | undefined) => (signal ? { signal } : {})

export const emailPart: Part<EmailConfig, EmailForm> = {
  id: getEmailConfig.path,
  name: 'Email',
  load: (api, signal) => api.call(getEmailConfig, abortable(signal)),
  async save(api, form) {
    await api.call(putEmailConfig, { body: toEmailInput(form) })
    return api.call(getEmailConfig)
  },
  toForm: toEmailForm,
  problems: emailProblems,
}

export const apprisePart: Part<AppriseConfig, AppriseForm> = {
  id: getAppriseConfig.path,
  name: 'Apprise',
  load: (api, signal) => api.call(getAppriseConfig, abortable(signal)),
  save: (api, form) => api.call(putAppriseConfig, { body: toAppriseInput(form) }),
  toForm: toAppriseForm,
  problems: appriseProblems,
}

interface HostsForm {
  allowedHosts: string
}

export const hostsPart: Part<OutboundConfig, HostsForm> = {
  id: getOutboundConfig.path,
  name: 'Allowed hosts',
  load: (api, signal) => api.call(getOutboundConfig, abortable(signal)),
  save: (api, { allowedHosts }) =>
    api.call(putOutboundConfig, { body: { allowedHosts: linesOf(allowedHosts) } }),
  toForm: ({ allowedHosts }) => ({ allowedHosts: allowedHosts.join('\n') }),
  problems: () => ({}),
}
