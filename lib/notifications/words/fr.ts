import type { NotificationWords } from './words.ts'

/** French. */
export const fr: NotificationWords = {
  identityVerified: {
    title: 'Votre identité est vérifiée',
    text: 'Vous n’avez rien d’autre à faire.',
  },
  identityRejected: {
    title: 'Votre identité n’a pas pu être vérifiée',
    text: 'Veuillez envoyer de nouveau vos documents.',
  },
  identityExpired: {
    title: 'Votre vérification a expiré',
    text: 'Veuillez envoyer un document valide. D’ici là, les clients ne voient pas vos annonces.',
  },
  identityExpiring: ({ until }) => ({
    title: 'Votre vérification expire bientôt',
    text: `Elle est valable jusqu’au ${until}. Veuillez envoyer un document valide avant cette date.`,
  }),
  passwordChanged: ({ at }) => ({
    title: 'Votre mot de passe a été modifié',
    text: `Il a été modifié le ${at}. Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe.`,
  }),
  passwordReset: ({ at, count }) => ({
    title: 'Votre mot de passe a été réinitialisé',
    text: `Un nouveau mot de passe a été choisi le ${at} avec un lien reçu par e-mail, et tous les appareils ont été déconnectés. Clés d’API révoquées : ${count}. Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe.`,
  }),
  emailChanged: ({ at }) => ({
    title: 'Votre adresse e-mail a été modifiée',
    text: `Votre compte a une nouvelle adresse e-mail depuis le ${at}. Si ce n’était pas vous, utilisez le lien envoyé à l’ancienne adresse.`,
  }),
  emailRestored: ({ at }) => ({
    title: 'Votre adresse e-mail a été rétablie',
    text: `Le changement de votre adresse e-mail a été annulé le ${at}, et tous les appareils ont été déconnectés. Choisissez un nouveau mot de passe avec le lien que nous vous avons envoyé.`,
  }),
  signedInElsewhere: ({ at }) => ({
    title: 'Nouvelle connexion à votre compte',
    text: `Une connexion à votre compte a eu lieu le ${at}, depuis un appareil et un réseau que nous ne connaissions pas. Si ce n’était pas vous, mettez fin à cette session et changez votre mot de passe.`,
  }),
  sessionReused: ({ at }) => ({
    title: 'Nous avons mis fin à une session pour protéger votre compte',
    text: `Le ${at}, une clé déjà utilisée de cette session a été présentée de nouveau : elle a peut-être été copiée. Veuillez vous reconnecter et, en cas de doute, changer votre mot de passe.`,
  }),
  secondFactorAdded: ({ at }) => ({
    title: 'Un second facteur a été ajouté à votre compte',
    text: `Une clé d’accès ou une application d’authentification a été ajoutée le ${at}. Si ce n’était pas vous, changez immédiatement votre mot de passe et supprimez-la.`,
  }),
  secondFactorRemoved: ({ at }) => ({
    title: 'Un second facteur a été supprimé de votre compte',
    text: `Une clé d’accès ou une application d’authentification a été supprimée le ${at}. Si ce n’était pas vous, changez immédiatement votre mot de passe.`,
  }),
  secondFactorToBeRemoved: ({ at }) => ({
    title: 'Les seconds facteurs de votre compte vont être supprimés',
    text: `Le ${at}, notre assistance a été priée de les supprimer ; ce sera fait 24 heures plus tard. Si ce n’était pas vous, connectez-vous d’ici là avec votre application d’authentification ou votre clé d’accès, ce qui annule la suppression, et changez votre mot de passe.`,
  }),
  secondFactorRefused: ({ at }) => ({
    title: 'Codes erronés lors de la connexion',
    text: `Dix codes erronés ont été saisis, le dernier le ${at}, après votre bon mot de passe. Si ce n’était pas vous, changez-le immédiatement : quelqu’un le connaît.`,
  }),
  apiKeyMade: ({ at }) => ({
    title: 'Une clé d’API a été créée',
    text: `Une clé qui agit en votre nom a été créée le ${at}. Si ce n’était pas vous, supprimez-la et changez votre mot de passe.`,
  }),
  apiKeyDeleted: ({ at }) => ({
    title: 'Une clé d’API a été supprimée',
    text: `Une clé qui agissait en votre nom a été supprimée le ${at}. Ce qui l’utilisait ne fonctionne plus.`,
  }),
  listingPublished: ({ listing }) => ({
    title: `« ${listing} » est en ligne`,
    text: 'Les clients peuvent maintenant trouver cette annonce.',
  }),
  listingRejected: ({ listing }) => ({
    title: `« ${listing} » n’a pas été acceptée`,
    text: 'Vous pouvez modifier cette annonce et la soumettre de nouveau.',
  }),
  listingSuspended: ({ listing }) => ({
    title: `« ${listing} » a été suspendue`,
    text: 'Un modérateur a suspendu cette annonce. Les clients ne la voient plus.',
  }),
  revisionPublished: ({ listing }) => ({
    title: `Vos modifications de « ${listing} » sont en ligne`,
    text: 'Les clients les voient maintenant.',
  }),
  revisionRejected: ({ listing }) => ({
    title: `Vos modifications de « ${listing} » n’ont pas été acceptées`,
    text: 'L’annonce reste en ligne telle qu’elle était.',
  }),
  enquiryReceived: ({ person, listing }) => ({
    title: `Nouvelle demande sur « ${listing} »`,
    text: `${person} vous a écrit.`,
  }),
  enquiryAnswered: ({ person, listing }) => ({
    title: `Nouveau message sur « ${listing} »`,
    text: `${person} vous a écrit.`,
  }),
  visitSet: ({ person, listing, visit }) => ({
    title: `Une visite de « ${listing} » est prévue`,
    text: `${person} vous attend le ${visit}.`,
  }),
  visitCancelled: ({ person, listing }) => ({
    title: `La visite de « ${listing} » est annulée`,
    text: `${person} l’a annulée. Vous pouvez lui écrire pour convenir d’un autre moment.`,
  }),
  listingTaken: ({ listing }) => ({
    title: `« ${listing} » n’est plus disponible`,
    text: 'Le bien a été vendu ou loué, et votre demande a été close. Vous pouvez encore écrire.',
  }),
  paymentSucceeded: ({ amount, receipt }) => ({
    title: `Votre paiement de ${amount} a réussi`,
    text: `Numéro de reçu : ${receipt}`,
  }),
  refundStarted: ({ amount }) => ({
    title: `Un remboursement de ${amount} est en cours`,
    text: 'Il peut s’écouler quelques jours avant que l’argent soit sur votre compte.',
  }),
  refundDone: ({ amount }) => ({
    title: `Un remboursement de ${amount} a été effectué`,
    text: 'L’argent vous est rendu par le moyen de paiement utilisé.',
  }),
  refundFailed: ({ amount }) => ({
    title: `Un remboursement de ${amount} a échoué`,
    text: 'Nous nous en occupons. Vous n’avez rien à faire.',
  }),
  paymentDisputed: ({ amount }) => ({
    title: `Votre paiement de ${amount} est contesté`,
    text: 'Votre banque ou votre service de paiement a ouvert un litige. L’argent est retenu jusqu’à la décision.',
  }),
  paymentChargedBack: ({ amount }) => ({
    title: `Le litige sur votre paiement de ${amount} est clos`,
    text: 'Il a été tranché en votre faveur, et la somme contestée vous est rendue.',
  }),
  paymentReceived: ({ person, amount, listing }) => ({
    title: `Un paiement de ${amount} pour « ${listing} »`,
    text: `${person} a payé.`,
  }),
  requestPaid: ({ person, amount, listing }) => ({
    title: `Votre demande de ${amount} a été payée`,
    text: `${person} a payé pour « ${listing} ».`,
  }),
  receivedRefunded: ({ amount, listing }) => ({
    title: `Un remboursement de ${amount} pour « ${listing} »`,
    text: 'Cette somme a été rendue au payeur.',
  }),
  receivedDisputed: ({ amount, listing }) => ({
    title: `Un paiement pour « ${listing} » est contesté`,
    text: `La banque ou le service de paiement du payeur conteste le paiement de ${amount}.`,
  }),
  receivedChargedBack: ({ amount, listing }) => ({
    title: `Un paiement pour « ${listing} » a été repris`,
    text: `Le litige sur le paiement de ${amount} a été tranché en faveur du payeur.`,
  }),
  payoutPaid: ({ amount }) => ({
    title: `Votre versement de ${amount} est parti`,
    text: 'L’argent est en route vers votre compte.',
  }),
  payoutFailed: ({ amount }) => ({
    title: `Votre versement de ${amount} a échoué`,
    text: 'L’argent est de nouveau dans votre solde. Vérifiez votre compte de versement.',
  }),
  payoutAccountChanged: ({ at }) => ({
    title: 'Votre compte de versement a été modifié',
    text: `Il a été modifié le ${at}. Si ce n’était pas vous, changez tout de suite votre mot de passe et écrivez-nous.`,
  }),
  paymentRequested: ({ person, amount, listing }) => ({
    title: `Un paiement de ${amount} vous est demandé`,
    text: `${person} demande ce paiement pour « ${listing} ».`,
  }),
  paymentRequestDue: ({ person, amount, listing, until }) => ({
    title: `Un paiement de ${amount} arrive à échéance`,
    text: `${person} demande ce paiement pour « ${listing} » avant le ${until}.`,
  }),
  paymentRequestOverdue: ({ person, amount, listing }) => ({
    title: `Un paiement de ${amount} est en retard`,
    text: `${person} attend toujours ce paiement pour « ${listing} ». Vous pouvez encore le régler.`,
  }),
  favouriteReduced: ({ listing, amount, before }) => ({
    title: `« ${listing} » est maintenant à ${amount}`,
    text: `Prix précédent : ${before}`,
  }),
  favouriteTaken: ({ listing }) => ({
    title: `« ${listing} » a été vendu ou loué`,
    text: 'Ce bien de vos favoris n’est plus disponible.',
  }),
  favouriteGone: ({ listing }) => ({
    title: `« ${listing} » n’est plus en ligne`,
    text: 'Cette annonce de vos favoris n’est pas visible pour le moment.',
  }),
  searchMatched: ({ search, count }) => ({
    title: `Nouvelles annonces pour « ${search} »`,
    text: `Nombre d’annonces : ${count}`,
  }),
  listingReportActed: {
    title: 'Merci pour votre signalement',
    text: 'Nous avons examiné l’annonce que vous avez signalée et pris des mesures.',
  },
  enquiryReportActed: {
    title: 'Merci pour votre signalement',
    text: 'Nous avons examiné la demande que vous avez signalée et pris des mesures.',
  },
}
