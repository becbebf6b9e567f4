import type { PageWords } from './words.ts'

/** French. */
export const fr: PageWords = {
  done: 'C’est fait. Vous pouvez fermer cette page.',
  stopped: 'C’est fait. Vous ne recevrez plus ces e-mails.',
  newPassword: 'Nouveau mot de passe',
  passwordRule: ({ min, max }) =>
    `De ${min} à ${max} caractères. Ni un mot de passe courant, ni votre nom, ni votre adresse e-mail.`,
  weakPassword: {
    length: ({ min, max }) => `Le mot de passe doit compter de ${min} à ${max} caractères.`,
    common: 'Ce mot de passe est trop courant ou a été divulgué. Veuillez en choisir un autre.',
    own: 'Le mot de passe ne doit être ni votre nom ni votre adresse e-mail.',
  },
  email: 'Adresse e-mail',
  notAnEmail: 'Ceci n’est pas une adresse e-mail.',
  gone: {
    title: 'Ce lien ne fonctionne plus',
    text: 'Il a déjà servi, il a expiré ou un lien plus récent l’a remplacé.',
  },
  linkNotWorking: 'Le lien ne fonctionne pas ?',
  newLink: {
    text: 'Saisissez votre adresse e-mail : nous vous enverrons un nouveau lien.',
    action: 'M’envoyer un nouveau lien',
  },
  resetLink: {
    title: 'Choisir un nouveau mot de passe',
    text: 'Saisissez votre adresse e-mail : nous vous enverrons un lien pour choisir un nouveau mot de passe.',
    action: 'M’envoyer un lien',
  },
  changeAgain:
    'Connectez-vous et demandez de nouveau à changer d’adresse. Si vous ne pouvez pas vous connecter, choisissez d’abord un nouveau mot de passe.',
  undoAgain:
    'Si votre ancienne adresse est déjà revenue, choisissez un nouveau mot de passe avec elle. Si vous n’avez pas changé l’adresse et ne pouvez plus vous connecter, contactez-nous sans attendre.',
  sent: {
    title: 'Consultez votre boîte de réception',
    text: 'Si cette adresse appartient à un compte, un lien vous est envoyé. Regardez aussi parmi les courriers indésirables.',
  },
  emailTaken: 'Cette adresse appartient désormais à un autre compte. Rien n’a changé.',
  tooMany: 'Il y a eu trop d’essais. Veuillez réessayer plus tard.',
  failed: 'Une erreur est survenue de notre côté et rien n’a changé. Veuillez réessayer.',
  stopAgain:
    'Ouvrez le lien qui se trouve à la fin de notre dernier e-mail : celui-ci est peut-être incomplet. Vous pouvez aussi désactiver les e-mails dans les réglages de votre compte.',
  receiptAgain:
    'Le lien vers un reçu fonctionne pendant cinq minutes. Ouvrez de nouveau le reçu de votre paiement.',
  noReceipt: 'Il n’y a pas de reçu pour ce paiement.',
}
