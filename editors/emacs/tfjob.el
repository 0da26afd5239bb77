;;; tfjob.el --- Training job specs of tfjob  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; A mode for job specs, cluster files, and project files.  Eglot starts `tfjob lsp', which must be on `exec-path'.

;;; Code:

(defgroup tfjob nil "Training job specs." :group 'languages)

(defcustom tfjob-program "tfjob"
  "Program that contains the language server."
  :type 'string
  ;; The file `.dir-locals.el' of a repository must not name the program to run.
  :risky t)

(defvar tfjob-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23n" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?- "_" table)
    (modify-syntax-entry ?\" "\"" table)
    table))

(defvar tfjob-font-lock-keywords
  '(("\\(?:^\\|[{;]\\)[ \t]*\\([A-Za-z_][A-Za-z0-9_-]*\\)" 1 font-lock-keyword-face)
    ("\\_<\\([A-Za-z_][A-Za-z0-9_-]*\\)=" 1 font-lock-variable-name-face)
    ("#\\(?:true\\|false\\|null\\)\\_>" . font-lock-constant-face)
    ("{[a-z][a-z0-9.-]*}" 0 font-lock-variable-name-face prepend)))

(defun tfjob-indent-line ()
  "Indent the line by the number of open braces."
  (let* ((column (save-excursion
                   (back-to-indentation)
                   (* 4 (max 0 (- (car (syntax-ppss)) (if (eq (char-after) ?\}) 1 0))))))
         (is-before (<= (current-column) (current-indentation))))
    (if is-before (indent-line-to column) (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode tfjob-mode prog-mode "tfjob"
  "Mode for the KDL files of tfjob."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'tfjob-indent-line)
  (setq-local font-lock-defaults '(tfjob-font-lock-keywords)))

;;;###autoload
(dolist (name '("\\.tfjob\\.kdl\\'" "\\.cluster\\.kdl\\'" "/tfjob\\.kdl\\'"))
  (add-to-list 'auto-mode-alist (cons name 'tfjob-mode)))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               `(tfjob-mode . ,(lambda (&rest _) (list tfjob-program "lsp")))))

(add-hook 'tfjob-mode-hook #'eglot-ensure)

(provide 'tfjob)
;;; tfjob.el ends here
