import type { MailWords } from './words.ts'

/** French. */
export const fr: MailWords = {
  links: {
    'password-reset': ({ lifetime }) => ({
      title: 'Choisissez un nouveau mot de passe',
      text: 'Quelqu’un, sans doute vous, a demandé à choisir un nouveau mot de passe pour votre compte.',
      action: 'Choisir un nouveau mot de passe',
      closing: `Le lien fonctionne une seule fois, pendant ${lifetime}. Un nouveau mot de passe vous déconnecte de tous vos appareils. Si vous n’avez rien demandé, ignorez ce message : rien ne change.`,
    }),
    'email-verification': ({ lifetime }) => ({
      title: 'Confirmez votre adresse e-mail',
      text: 'Un compte a été créé avec cette adresse e-mail. Si c’est le vôtre, veuillez la confirmer.',
      action: 'Confirmer l’adresse',
      closing: `Le lien fonctionne pendant ${lifetime}. Si vous n’avez pas créé de compte, ne l’ouvrez pas. Vous pouvez reprendre votre adresse en demandant un nouveau mot de passe.`,
    }),
    'email-change': ({ lifetime }) => ({
      title: 'Confirmez votre nouvelle adresse e-mail',
      text: 'Quelqu’un, sans doute vous, a demandé à utiliser cette adresse e-mail pour un compte.',
      action: 'Utiliser cette adresse',
      closing: `Le lien fonctionne une seule fois, pendant ${lifetime}. Si vous n’avez rien demandé, ignorez ce message : rien ne change.`,
    }),
    'email-undo': ({ lifetime }) => ({
      title: 'Votre adresse e-mail a été modifiée',
      text: 'Votre compte a maintenant une autre adresse e-mail. Si vous n’êtes pas à l’origine de ce changement, annulez-le : l’ancienne adresse revient, tous les appareils sont déconnectés et vous choisissez un nouveau mot de passe.',
      action: 'Annuler le changement',
      closing: `Le lien fonctionne pendant ${lifetime}. Si vous avez changé l’adresse vous-même, vous n’avez rien à faire.`,
    }),
  },
  emailChangeAsked: {
    title: 'Une autre adresse e-mail a été demandée',
    text: 'Une personne connectée à votre compte a demandé à en changer l’adresse e-mail. Rien ne change tant que la nouvelle adresse n’est pas confirmée. Si ce n’était pas vous, changez votre mot de passe.',
  },
  emailTaken: {
    title: 'Quelqu’un a demandé votre adresse e-mail',
    text: 'Quelqu’un a demandé à utiliser cette adresse e-mail pour un autre compte. Elle appartient au vôtre : rien ne change. Si c’était vous, connectez-vous plutôt avec cette adresse.',
  },
  orOpen: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  message: 'Notre message pour vous :',
  always: 'Les messages qui concernent votre identité et la sécurité de votre compte sont toujours envoyés.',
  stop: {
    listings: 'Ne plus recevoir d’e-mails sur mes annonces',
    enquiries: 'Ne plus recevoir d’e-mails sur les demandes',
    payments: 'Ne plus recevoir d’e-mails sur les paiements',
    favourites: 'Ne plus recevoir d’e-mails sur mes favoris',
    searches: 'Ne plus recevoir d’e-mails sur mes recherches enregistrées',
  },
}
