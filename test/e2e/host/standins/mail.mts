export { startMail } from '../../../../host/mail/index.mts';
export type { Mail, MailServer } from '../../../../host/mail/index.mts';
